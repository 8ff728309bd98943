// SPDX-License-Identifier: Apache-2.0
// The names of what we leave on a Node. By them we know our own marks and undo no others.
#pragma once

#include <string_view>

namespace ferryman::termination::marks {

inline constexpr std::string_view claim_annotation = "ferryman.dev/claim";
inline constexpr std::string_view taint_key = "ferryman.dev/terminating";

/// Its mere presence takes a node out of the load balancers that controllers keep; not ours alone.
/// https://kubernetes.io/docs/reference/labels-annotations-taints/#node-kubernetes-io-exclude-from-external-load-balancers
inline constexpr std::string_view exclude_label = "node.kubernetes.io/exclude-from-external-load-balancers";

}  // namespace ferryman::termination::marks
