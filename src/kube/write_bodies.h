// SPDX-License-Identifier: Apache-2.0
// The bodies of what we write.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "termination/ports/cluster.h"

namespace ferryman::kube {

/// A JSON merge patch (RFC 7386). UID and resourceVersion in it are preconditions: the API server answers 409
/// when the Node has others.
std::string merge_patch(const termination::NodePatch& patch);

/// policy/v1 Eviction with the UID as precondition.
std::string eviction_body(const termination::PodKey& pod, std::optional<std::chrono::seconds> grace);

/// DeleteOptions with the UID as precondition.
std::string delete_options(const termination::PodKey& pod, std::optional<std::chrono::seconds> grace);

/// DeleteOptions with the Node's UID and resourceVersion as preconditions.
std::string delete_options(const termination::Node& node);

}  // namespace ferryman::kube
