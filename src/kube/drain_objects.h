// SPDX-License-Identifier: Apache-2.0
// What a drain looks at beside pods and Nodes, as values. Every field may be missing or of another type.
// https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/pod-disruption-budget-v1/
#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "termination/ports/budgets.h"
#include "termination/ports/volumes.h"

namespace ferryman::kube {

/// Empty without a name, and without a selector: in policy/v1 such a budget covers no pod.
std::optional<termination::Budget> budget_from(const json::value& object);

/// Empty for one whose volume is written inside the pod.
std::optional<termination::VolumeAttachment> attachment_from(const json::value& object);

/// "namespace/name".
std::optional<std::string> full_name_of(const json::value& object);

}  // namespace ferryman::kube
