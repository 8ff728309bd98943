// SPDX-License-Identifier: Apache-2.0
// The names of what we leave on a Node. By them we know our own marks and undo no others.
#pragma once

#include <string_view>

namespace ferryman::termination::marks {

inline constexpr std::string_view claim_annotation = "ferryman.dev/claim";
inline constexpr std::string_view taint_key = "ferryman.dev/terminating";
/// On a pod, "true": it is not evicted for an end that may come to nothing.
inline constexpr std::string_view forced_ends_only = "ferryman.dev/forced-ends-only";
/// On a Node (label) or an Auto Scaling group (tag), followed by a kind's name, such as
/// ferryman.dev/on-spot-interruption: the action for that kind there.
inline constexpr std::string_view action_prefix = "ferryman.dev/on-";

/// Its mere presence takes a node out of the load balancers that controllers keep; not ours alone.
/// https://kubernetes.io/docs/reference/labels-annotations-taints/#node-kubernetes-io-exclude-from-external-load-balancers
inline constexpr std::string_view exclude_label = "node.kubernetes.io/exclude-from-external-load-balancers";

}  // namespace ferryman::termination::marks
