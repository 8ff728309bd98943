// SPDX-License-Identifier: Apache-2.0
// The resources that the sandbox's API server knows, and their names in paths, objects and kubectl.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ferryman::sandbox {

struct ResourceType {
  std::string_view group;  // empty: the core group
  std::string_view version;
  std::string_view resource;  // "pods"; also the name in ObjectStore
  std::string_view singular;
  std::string_view kind;
  bool namespaced;
  std::string_view short_name;    // empty: none
  std::string_view subresources;  // separated by blanks
  std::string_view schema = {};   // the objects' type in the schema's table; empty: the kind
  bool listed = false;            // among "all": kubectl get all
  bool stored = true;             // false: can only be created, which answers a question

  /// "v1" or "policy/v1".
  [[nodiscard]] std::string api_version() const;
  /// As Status messages name it: "pods" or "poddisruptionbudgets.policy".
  [[nodiscard]] std::string qualified() const;
  [[nodiscard]] bool has_subresource(std::string_view name) const;
};

std::span<const ResourceType> resource_types();

/// Null when there is none.
const ResourceType* find_resource(std::string_view group, std::string_view version,
                                  std::string_view resource);

}  // namespace ferryman::sandbox
