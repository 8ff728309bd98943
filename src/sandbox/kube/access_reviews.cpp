// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/access_reviews.h"

#include <fmt/format.h>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/object_output.h"
#include "sandbox/kube/object_writes.h"

namespace ferryman::sandbox {

namespace {

/// Empty when the review names neither a resource nor a path, or both.
std::optional<AccessQuestion> asked_in(const json::value& review) {
  const json::value* resource = value_at(review, "spec.resourceAttributes");
  const json::value* path = value_at(review, "spec.nonResourceAttributes");
  if ((resource == nullptr) == (path == nullptr)) return std::nullopt;
  AccessQuestion asked;
  if (path != nullptr) {
    asked.path = string_at(path, "path");
    asked.verb = string_at(path, "verb");
    return asked;
  }
  asked.verb = string_at(resource, "verb");
  asked.group = string_at(resource, "group");
  asked.resource = string_at(resource, "resource");
  asked.subresource = string_at(resource, "subresource");
  asked.name = string_at(resource, "name");
  asked.space = string_at(resource, "namespace");
  return asked;
}

KubeUser subject_of(const json::value& review) {
  KubeUser user;
  user.name = text_at(review, "spec.user");
  if (const json::array* groups = array_at(value_at(review, "spec"), "groups"); groups != nullptr) {
    for (const json::value& group : *groups) {
      if (group.is_string()) user.groups.emplace_back(group.get_string());
    }
  }
  return user;
}

net::HttpReply invalid(const KubeCall& call, std::string_view why) {
  return failure(422, "Invalid",
                 fmt::format("{}.{} \"\" is invalid: {}", call.type->kind, call.type->group, why),
                 json::object{{"group", call.type->group}, {"kind", call.type->kind}});
}

/// allowed, and by which binding; a question that nobody asked is an invalid review.
net::HttpReply judge(const AccessRules& rules, const KubeCall& call, json::value review) {
  const auto asked = asked_in(review);
  if (!asked) {
    return invalid(call,
                   "spec.resourceAttributes: Invalid value: exactly one of nonResourceAttributes or "
                   "resourceAttributes must be specified");
  }
  const bool self = call.type->kind == "SelfSubjectAccessReview";
  const AccessVerdict verdict = rules.judge(self ? call.user : subject_of(review), *asked);
  json::object status{{"allowed", verdict.allowed}};
  if (!verdict.reason.empty()) status["reason"] = verdict.reason;
  make_at(review, "status") = std::move(status);
  return json_response(201, encode_object(OutputStyle(call, WallTime()), review));
}

net::HttpReply list_rules(const AccessRules& rules, const KubeCall& call, json::value review) {
  const std::string space(text_at(review, "spec.namespace"));
  if (space.empty()) return bad_request("no namespace on request");
  json::array resources;
  json::array paths;
  for (const json::value& rule : rules.rules_of(call.user, space)) {
    (find(rule, "nonResourceURLs") != nullptr ? paths : resources).push_back(rule);
  }
  make_at(review, "status") = json::object{
      {"resourceRules", std::move(resources)}, {"nonResourceRules", std::move(paths)}, {"incomplete", false}};
  return json_response(201, encode_object(OutputStyle(call, WallTime()), review));
}

net::HttpReply tell_user(const KubeCall& call, json::value review) {
  json::array groups(call.user.groups.begin(), call.user.groups.end());
  make_at(review, "status.userInfo") =
      json::object{{"username", call.user.name}, {"groups", std::move(groups)}};
  return json_response(201, encode_object(OutputStyle(call, WallTime()), review));
}

}  // namespace

net::HttpReply create_review(ClusterState& state, KubeCall& call) {
  if (call.verb != "create" || !call.key.name.empty()) return not_allowed();
  auto review = body_of(call);
  if (!review) return bad_request(review.error().text);
  erase_at(*review, "kind");
  erase_at(*review, "apiVersion");
  if (find(*review, "metadata") == nullptr) make_at(*review, "metadata") = json::object();
  const AccessRules rules(state.objects);
  if (call.type->kind == "SelfSubjectRulesReview") return list_rules(rules, call, std::move(*review));
  if (call.type->kind == "SelfSubjectReview") return tell_user(call, std::move(*review));
  return judge(rules, call, std::move(*review));
}

net::HttpResponse forbidden(const KubeUser& user, const AccessQuestion& question) {
  const std::string why = forbidden_text(user, question);
  json::object details;
  if (question.resource.empty()) return failure(403, "Forbidden", "forbidden: " + why, std::move(details));
  const std::string qualified =
      question.group.empty() ? question.resource : question.resource + "." + question.group;
  if (!question.name.empty()) details["name"] = question.name;
  if (!question.group.empty()) details["group"] = question.group;
  details["kind"] = question.resource;
  const std::string what =
      question.name.empty() ? qualified : fmt::format("{} \"{}\"", qualified, question.name);
  return failure(403, "Forbidden", fmt::format("{} is forbidden: {}", what, why), std::move(details));
}

}  // namespace ferryman::sandbox
