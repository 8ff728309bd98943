// SPDX-License-Identifier: Apache-2.0
// Kubernetes objects as values, only what we keep. Every field may be missing or of another type.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/time.h"
#include "termination/ports/cluster.h"

namespace ferryman::kube {

/// Empty when the object has no name or no UID.
std::optional<termination::Node> node_from(const json::value& object);
std::optional<termination::Pod> pod_from(const json::value& object);
/// Empty for every other Service.
std::optional<termination::LocalService> local_service_from(const json::value& object);

/// A ConfigMap's data; what is no text is left out.
std::map<std::string, std::string> data_of(const json::value& config_map);

/// metadata.creationTimestamp; the epoch when there is none.
WallTime created_at(const json::value& object);

/// Resource versions are decimal numbers that grow (KEP-5504); 0 when the text is none.
std::uint64_t version_number(std::string_view resource_version);

}  // namespace ferryman::kube
