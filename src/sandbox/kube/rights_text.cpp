// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/rights_text.h"

#include <fmt/format.h>

#include <array>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

constexpr std::array verbs{"*",           "create", "delete", "deletecollection", "get",
                           "impersonate", "list",   "patch",  "update",           "watch"};

Error unreadable(std::string_view word) {
  return Error(Fault::invalid,
               fmt::format("\"{}\" is no right; write resource:verb,verb with the verbs {}, such as "
                           "nodes:get,list,patch pods/eviction:create leases.coordination.k8s.io:*",
                           word, fmt::join(verbs, ", ")));
}

std::string_view take(std::string_view& text, char end) {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

Result<json::value> read_right(std::string_view word) {
  std::string_view left = word;
  std::string_view what = take(left, ':');
  if (what.empty() || left.empty()) return unreadable(word);
  json::object rule;
  json::array allowed;
  while (!left.empty()) {
    const std::string_view verb = take(left, ',');
    if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) return unreadable(word);
    allowed.emplace_back(verb);
  }
  std::string_view name = what;
  what = take(name, '=');
  std::string_view subresource = what;
  what = take(subresource, '/');
  std::string_view group = what;
  const std::string_view resource = take(group, '.');
  if (resource.empty()) return unreadable(word);
  rule["verbs"] = std::move(allowed);
  rule["apiGroups"] = json::array{json::value(resource == "*" && group.empty() ? "*" : group)};
  rule["resources"] = json::array{
      json::value(subresource.empty() ? std::string(resource) : fmt::format("{}/{}", resource, subresource))};
  if (!name.empty()) rule["resourceNames"] = json::array{json::value(name)};
  return json::value(std::move(rule));
}

void put(ObjectStore& objects, std::string_view resource, json::value object) {
  const ObjectKey key = key_of(object);
  if (objects.find(resource, key) != nullptr) objects.remove(resource, key);
  objects.create(resource, std::move(object));
}

}  // namespace

Result<json::array> read_rights(std::string_view text) {
  json::array rules;
  while (!text.empty()) {
    const std::string_view word = take(text, ' ');
    if (word.empty()) continue;
    auto rule = read_right(word);
    if (!rule) return std::move(rule).error();
    rules.push_back(std::move(*rule));
  }
  return rules;
}

void grant(ObjectStore& objects, const std::string& user, json::array rules) {
  const std::string name = "sandbox:" + user;
  json::value role = json::object();
  make_at(role, "metadata.name") = name;
  make_at(role, "rules") = std::move(rules);
  put(objects, "clusterroles", std::move(role));
  json::value binding = json::object();
  make_at(binding, "metadata.name") = name;
  make_at(binding, "roleRef") =
      json::object{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", name}};
  make_at(binding, "subjects") =
      json::array{json::object{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", user}}};
  put(objects, "clusterrolebindings", std::move(binding));
}

}  // namespace ferryman::sandbox
