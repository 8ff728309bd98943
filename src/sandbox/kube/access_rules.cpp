// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/access_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view masters = "system:masters";
constexpr std::string_view account_prefix = "system:serviceaccount:";

// What the bootstrap roles system:discovery, system:public-info-viewer and system:basic-user allow to
// everybody who has logged in.
constexpr std::array open_paths{"/api",      "/api/*",   "/apis",    "/apis/*",    "/healthz",
                                "/livez",    "/livez/*", "/openapi", "/openapi/*", "/readyz",
                                "/readyz/*", "/version", "/version/"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> open_questions{{
    {"authentication.k8s.io", "selfsubjectreviews"},
    {"authorization.k8s.io", "selfsubjectaccessreviews"},
    {"authorization.k8s.io", "selfsubjectrulesreviews"},
}};

bool path_fits(std::string_view pattern, std::string_view path) {
  if (pattern == "*") return true;
  if (!pattern.ends_with('*')) return pattern == path;
  pattern.remove_suffix(1);
  return path.starts_with(pattern);
}

bool is_open(const AccessQuestion& question) {
  if (!question.path.empty()) {
    return question.verb == "get" &&
           std::any_of(open_paths.begin(), open_paths.end(),
                       [&](const char* pattern) { return path_fits(pattern, question.path); });
  }
  return question.verb == "create" &&
         std::find(open_questions.begin(), open_questions.end(),
                   std::pair<std::string_view, std::string_view>(question.group, question.resource)) !=
             open_questions.end();
}

bool lists(const json::value& rule, std::string_view member, std::string_view wanted) {
  const json::array* all = array_at(&rule, member);
  return all != nullptr && std::any_of(all->begin(), all->end(), [&](const json::value& one) {
           return one.is_string() && (one.get_string() == "*" || one.get_string() == wanted);
         });
}

bool names_resource(const json::value& rule, const AccessQuestion& question) {
  if (lists(rule, "resources", question.whole_resource())) return true;
  return !question.subresource.empty() && lists(rule, "resources", "*/" + question.subresource);
}

bool rule_allows(const json::value& rule, const AccessQuestion& question) {
  if (!lists(rule, "verbs", question.verb)) return false;
  if (!question.path.empty()) {
    const json::array* paths = array_at(&rule, "nonResourceURLs");
    return paths != nullptr && std::any_of(paths->begin(), paths->end(), [&](const json::value& one) {
             return one.is_string() && path_fits(one.get_string(), question.path);
           });
  }
  const json::array* names = array_at(&rule, "resourceNames");
  const bool named = names == nullptr || names->empty() ||
                     std::any_of(names->begin(), names->end(), [&](const json::value& one) {
                       return one.is_string() && !question.name.empty() && one.get_string() == question.name;
                     });
  return named && lists(rule, "apiGroups", question.group) && names_resource(rule, question);
}

bool is_subject(const json::value& subject, const KubeUser& user, std::string_view binding_space) {
  const std::string_view kind = string_at(subject, "kind");
  const std::string_view name = string_at(subject, "name");
  if (kind == "User") return name == user.name;
  if (kind == "Group") return user.in_group(name);
  if (kind != "ServiceAccount") return false;
  std::string_view space = string_at(subject, "namespace");
  if (space.empty()) space = binding_space;
  return user.name == fmt::format("{}{}:{}", account_prefix, space, name);
}

std::string subject_text(const json::value& subject) {
  const std::string_view space = string_at(subject, "namespace");
  return space.empty()
             ? fmt::format("{} \"{}\"", string_at(subject, "kind"), string_at(subject, "name"))
             : fmt::format("{} \"{}/{}\"", string_at(subject, "kind"), string_at(subject, "name"), space);
}

json::object rule_of(std::initializer_list<std::pair<const char*, json::array>> members) {
  json::object rule;
  for (const auto& [name, values] : members) rule[name] = values;
  return rule;
}

json::array bootstrap_rules(const KubeUser& user) {
  json::array all;
  if (user.in_group(masters)) {
    all.push_back(rule_of({{"verbs", {"*"}}, {"apiGroups", {"*"}}, {"resources", {"*"}}}));
    all.push_back(rule_of({{"verbs", {"*"}}, {"nonResourceURLs", {"*"}}}));
  }
  for (const auto& [group, resource] : open_questions) {
    all.push_back(rule_of({{"verbs", {"create"}}, {"apiGroups", {group}}, {"resources", {resource}}}));
  }
  json::array paths(open_paths.begin(), open_paths.end());
  all.push_back(rule_of({{"verbs", {"get"}}, {"nonResourceURLs", std::move(paths)}}));
  return all;
}

}  // namespace

bool KubeUser::in_group(std::string_view group) const {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

KubeUser administrator(std::string name) {
  return {std::move(name), {std::string(masters), "system:authenticated"}};
}

KubeUser authenticated_user(std::string name, std::vector<std::string> groups) {
  if (name.starts_with(account_prefix)) {
    const std::string_view rest = std::string_view(name).substr(account_prefix.size());
    groups.emplace_back("system:serviceaccounts");
    groups.push_back(fmt::format("system:serviceaccounts:{}", rest.substr(0, rest.find(':'))));
  }
  groups.emplace_back("system:authenticated");
  return {std::move(name), std::move(groups)};
}

std::string AccessQuestion::whole_resource() const {
  return subresource.empty() ? resource : resource + "/" + subresource;
}

AccessVerdict AccessRules::judge(const KubeUser& user, const AccessQuestion& question) const {
  AccessVerdict verdict;
  verdict.allowed = user.in_group(masters) || (user.in_group("system:authenticated") && is_open(question));
  if (verdict.allowed) return verdict;
  for (const Granted& one : granted(user, question.space)) {
    if (std::none_of(one.rules->begin(), one.rules->end(),
                     [&](const json::value& rule) { return rule_allows(rule, question); })) {
      continue;
    }
    verdict.allowed = true;
    verdict.reason = one.reason;
    return verdict;
  }
  return verdict;
}

json::array AccessRules::rules_of(const KubeUser& user, std::string_view space) const {
  json::array all = bootstrap_rules(user);
  for (const Granted& one : granted(user, space)) {
    for (const json::value& rule : *one.rules) all.push_back(rule);
  }
  return all;
}

std::vector<AccessRules::Granted> AccessRules::granted(const KubeUser& user, std::string_view space) const {
  std::vector<Granted> all;
  add_bindings(user, "clusterrolebindings", "", all);
  if (!space.empty()) add_bindings(user, "rolebindings", space, all);
  return all;
}

void AccessRules::add_bindings(const KubeUser& user, std::string_view resource, std::string_view space,
                               std::vector<Granted>& all) const {
  for (const ObjectPtr& binding : objects_.list(resource)) {
    if (text_at(*binding, "metadata.namespace") != space) continue;
    const json::array* subjects = array_at(binding.get(), "subjects");
    if (subjects == nullptr) continue;
    const auto subject = std::find_if(subjects->begin(), subjects->end(),
                                      [&](const json::value& one) { return is_subject(one, user, space); });
    if (subject == subjects->end()) continue;
    const std::string_view kind = text_at(*binding, "roleRef.kind");
    const std::string role(text_at(*binding, "roleRef.name"));
    const bool local = kind == "Role";
    const ObjectPtr keeper = objects_.find(local ? "roles" : "clusterroles",
                                           ObjectKey(local ? std::string(space) : std::string(), role));
    const json::array* rules = array_at(keeper.get(), "rules");
    if (rules == nullptr) continue;
    std::string name(text_at(*binding, "metadata.name"));
    if (!space.empty()) name = fmt::format("{}/{}", name, space);
    all.push_back({rules,
                   fmt::format("RBAC: allowed by {} \"{}\" of {} \"{}\" to {}",
                               space.empty() ? "ClusterRoleBinding" : "RoleBinding", name, kind, role,
                               subject_text(*subject)),
                   keeper});
  }
}

std::string forbidden_text(const KubeUser& user, const AccessQuestion& question) {
  if (!question.path.empty()) {
    return fmt::format("User \"{}\" cannot {} path \"{}\"", user.name, question.verb, question.path);
  }
  const std::string what = fmt::format("User \"{}\" cannot {} resource \"{}\" in API group \"{}\"", user.name,
                                       question.verb, question.whole_resource(), question.group);
  if (question.space.empty()) return what + " at the cluster scope";
  return fmt::format("{} in the namespace \"{}\"", what, question.space);
}

}  // namespace ferryman::sandbox
