// SPDX-License-Identifier: Apache-2.0
// The names of what we leave on a Node. By them we know our own marks and undo no others.
#pragma once

#include <string_view>

namespace ferryman::termination::marks {

inline constexpr std::string_view claim_annotation = "ferryman.dev/claim";
inline constexpr std::string_view taint_key = "ferryman.dev/terminating";
/// On a pod, "true": it is not evicted for an end that may come to nothing.
inline constexpr std::string_view forced_ends_only = "ferryman.dev/forced-ends-only";
/// On a pod, a duration such as "45m": it is left alone so long after the end was told of, if the kind of end
/// heeds it (--heed-waits) and its deadline allows.
inline constexpr std::string_view wait_up_to = "ferryman.dev/wait-up-to";
/// Annotations of others that mean the same as forced_ends_only: with this value.
inline constexpr std::string_view karpenter_do_not_disrupt = "karpenter.sh/do-not-disrupt";  // "true"
inline constexpr std::string_view autoscaler_safe_to_evict =
    "cluster-autoscaler.kubernetes.io/safe-to-evict";  // "false"
/// On a Node (label) or an Auto Scaling group (tag), followed by a kind's name, such as
/// ferryman.dev/on-spot-interruption: the action for that kind there.
inline constexpr std::string_view action_prefix = "ferryman.dev/on-";

/// Tells Kubernetes that the node is off for certain: its pods are removed and its volumes detached.
/// https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/#non-graceful-node-shutdown
inline constexpr std::string_view out_of_service_key = "node.kubernetes.io/out-of-service";
inline constexpr std::string_view out_of_service_value = "nodeshutdown";

/// Its mere presence takes a node out of the load balancers that controllers keep; not ours alone.
/// https://kubernetes.io/docs/reference/labels-annotations-taints/#node-kubernetes-io-exclude-from-external-load-balancers
inline constexpr std::string_view exclude_label = "node.kubernetes.io/exclude-from-external-load-balancers";
/// Its value where we set it.
inline constexpr std::string_view exclude_value = "ferryman";

}  // namespace ferryman::termination::marks
