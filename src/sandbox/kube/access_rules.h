// SPDX-License-Identifier: Apache-2.0
// AccessRules: RBAC as the API server judges it, from the roles and bindings in the store and the few that
// every cluster has. Nothing is denied by name: what no rule allows is forbidden.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sandbox/kube/object_store.h"

namespace ferryman::sandbox {

class KubeUser {
 public:
  KubeUser() = default;
  KubeUser(std::string name_in, std::vector<std::string> groups_in)
      : name(std::move(name_in)), groups(std::move(groups_in)) {}

  [[nodiscard]] bool in_group(std::string_view group) const;

  std::string name;  // "system:serviceaccount:<namespace>:<name>" for a service account
  std::vector<std::string> groups;
};

/// A member of system:masters, who may do everything.
KubeUser administrator(std::string name);
/// With the groups that the API server gives to such a name.
KubeUser authenticated_user(std::string name, std::vector<std::string> groups = {});

/// What somebody wants to do: a verb on a resource, or, when `path` is not empty, on a path that is none.
class AccessQuestion {
 public:
  AccessQuestion() = default;

  std::string verb;
  std::string group;
  std::string resource;
  std::string subresource;
  std::string name;
  std::string space;  // the namespace; empty: the whole cluster
  std::string path;

  /// "nodes" or "pods/eviction".
  [[nodiscard]] std::string whole_resource() const;
};

class AccessVerdict {
 public:
  AccessVerdict() = default;

  bool allowed = false;
  std::string reason;  // which binding allowed it; empty when forbidden
};

class AccessRules {
 public:
  explicit AccessRules(const ObjectStore& objects) : objects_(objects) {}

  [[nodiscard]] AccessVerdict judge(const KubeUser& user, const AccessQuestion& question) const;
  /// All PolicyRules that hold for the user in a namespace, as they stand in the roles.
  [[nodiscard]] json::array rules_of(const KubeUser& user, std::string_view space) const;

 private:
  struct Granted {
    const json::array* rules;
    std::string reason;
    ObjectPtr keeper;  // holds the rules
  };

  [[nodiscard]] std::vector<Granted> granted(const KubeUser& user, std::string_view space) const;
  void add_bindings(const KubeUser& user, std::string_view resource, std::string_view space,
                    std::vector<Granted>& all) const;

  const ObjectStore& objects_;
};

/// `User "x" cannot list resource "pods" in API group "" at the cluster scope`.
std::string forbidden_text(const KubeUser& user, const AccessQuestion& question);

}  // namespace ferryman::sandbox
