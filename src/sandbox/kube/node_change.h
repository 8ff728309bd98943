// SPDX-License-Identifier: Apache-2.0
// What a write does to a Node: normal form, and its description for the journal.
#pragma once

#include <map>
#include <string>

#include "base/json.h"

namespace ferryman::sandbox {

/// A flag that is off and an empty list of taints are not written, as in the typed API.
void settle_node(json::value& node);

/// Adds what changed: "unschedulable" (the new value), "taints" ("key:effect,…", all of the new list),
/// "labels" and "annotations" (the changed keys), and whether a claim is there afterwards: "claim" =
/// "present" or "absent".
void describe_node_change(const json::value& before, const json::value& after,
                          std::map<std::string, std::string>& details);

}  // namespace ferryman::sandbox
