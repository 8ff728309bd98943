// SPDX-License-Identifier: Apache-2.0
// Node objects as EKS makes them, and the questions that models ask of a Node.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "sandbox/kube/kube_specs.h"

namespace ferryman::sandbox {

inline constexpr std::string_view out_of_service_taint = "node.kubernetes.io/out-of-service";

/// `boot_id` names one start of the instance; `now` is an RFC 3339 time.
json::value node_object(const NodeSpec& spec, std::string_view boot_id, std::string_view now);

bool is_node_ready(const json::value& node);

/// Sets the Ready condition ("True", "False", "Unknown") with the reasons that kubelet and node controller
/// give.
void set_node_ready(json::value& node, std::string_view status, std::string_view now);

bool has_taint(const json::value& node, std::string_view key, std::string_view effect);
void add_taint(json::value& node, std::string_view key, std::string_view effect, std::string_view now);
void remove_taint(json::value& node, std::string_view key, std::string_view effect);

/// How long the pod may stay under a NoExecute taint: 0 when it does not tolerate it, empty: for ever.
std::optional<Duration> tolerated_for(const json::value& pod, const json::value& taint);

/// True when the scheduler may put the pod there: schedulable, ready, each NoSchedule and NoExecute taint
/// tolerated.
bool takes_pod(const json::value& node, const json::value& pod);

}  // namespace ferryman::sandbox
