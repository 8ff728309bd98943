// SPDX-License-Identifier: Apache-2.0
// `ferryman explain --node NAME`: what a drain would do with each pod of a Node of the cluster, and why.
#pragma once

#include <string>

#include "app/commands.h"
#include "app/settings.h"
#include "termination/drain/outlook.h"

namespace ferryman::app {

/// Asks the API server that the settings name; reads only. Exit status 3: no pod would be asked to go.
int explain_node(const Invocation& invocation, Settings settings, const std::string& node, bool as_json);

/// One line a pod below a summary.
void print_outlook(std::ostream& out, const termination::drain::NodeOutlook& node);
/// One JSON object a pod, each on a line.
void print_outlook_json(std::ostream& out, const termination::drain::NodeOutlook& node);

}  // namespace ferryman::app
