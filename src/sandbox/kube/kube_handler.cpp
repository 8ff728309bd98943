// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/kube_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "sandbox/kube/access_reviews.h"
#include "sandbox/kube/call_parameters.h"
#include "sandbox/kube/discovery.h"
#include "sandbox/kube/event_calls.h"
#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/object_patches.h"
#include "sandbox/kube/object_reads.h"
#include "sandbox/kube/object_writes.h"
#include "sandbox/kube/pod_calls.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char left, char right) { return lower(left) == lower(right); });
}

bool is_health_path(std::string_view path) {
  return path == "/healthz" || path == "/livez" || path == "/readyz";
}

/// For a quoted string in a header.
std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made;
}

}  // namespace

void KubeHandler::accept_token(const Secret& token, std::string user) {
  tokens_.accept(token, administrator(std::move(user)));
}

void KubeHandler::accept_token(const Secret& token, KubeUser user) {
  tokens_.accept(token, std::move(user));
}

void KubeHandler::refuse_token(const Secret& token) {
  tokens_.refuse(token);
}

// kubectl --as and --as-group: needs the right to impersonate the user and each group.
std::optional<net::HttpResponse> KubeHandler::impersonate(KubeCall& call) const {
  const std::string_view name = call.headers.get("Impersonate-User");
  if (name.empty()) return std::nullopt;
  std::vector<std::string> groups;
  for (const auto& [header, value] : call.headers) {
    if (same_name(header, "Impersonate-Group")) groups.push_back(value);
  }
  const AccessRules rules(world_.state().objects);
  const auto may = [&](const char* resource, std::string_view wanted) -> std::optional<net::HttpResponse> {
    AccessQuestion question;
    question.verb = "impersonate";
    question.resource = resource;
    question.name = wanted;
    if (rules.judge(call.user, question).allowed) return std::nullopt;
    return forbidden(call.user, question);
  };
  if (auto answer = may("users", name)) return answer;
  for (const std::string& group : groups) {
    if (auto answer = may("groups", group)) return answer;
  }
  call.user = authenticated_user(std::string(name), std::move(groups));
  return std::nullopt;
}

std::optional<net::HttpResponse> KubeHandler::refusal(KubeCall& call) const {
  // A load balancer asks without a token.
  if (is_health_path(call.path)) return std::nullopt;
  auto user = tokens_.user_of(call.headers.get("Authorization"), world_.state().clock.wall());
  if (!user) return failure(401, "Unauthorized", "Unauthorized");
  call.user = std::move(*user);
  if (auto answer = impersonate(call)) return answer;
  const AccessQuestion question = call.question();
  if (AccessRules(world_.state().objects).judge(call.user, question).allowed) return std::nullopt;
  return forbidden(call.user, question);
}

Task<net::HttpReply> KubeHandler::handle(net::HttpRequest request) {
  KubeCall call = understand(std::move(request));
  net::HttpReply reply = serve(call);
  for (const std::string& warning : call.warnings) {
    reply.response.headers.add("Warning", fmt::format("299 - \"{}\"", escaped(warning)));
  }
  record(call, reply.response.status);
  co_return reply;
}

net::HttpReply KubeHandler::serve(KubeCall& call) {
  if (auto answer = refusal(call)) return std::move(*answer);
  if (call.type == nullptr) return discover(call);
  if (call.form == OutputForm::unusable) {
    return failure(406, "NotAcceptable", "only the following media types are accepted: application/json");
  }
  if (auto answer = bad_parameters(call)) return std::move(*answer);
  if (auto answer = unreadable_body(call)) return std::move(*answer);
  if (call.type->resource == "events" && call.verb == "create") return create_event(world_.state(), call);
  if (!call.type->stored) return create_review(world_.state(), call);
  return serve_resource(call);
}

net::HttpReply KubeHandler::serve_resource(KubeCall& call) {
  ClusterState& state = world_.state();
  if (call.verb == "list") return list_objects(state, call);
  if (call.verb == "watch") return watch_objects(state, call);
  if (call.verb == "create" && call.key.name.empty()) return create_object(state, call);
  if (call.verb == "deletecollection") return delete_collection(world_, call);
  return call.key.name.empty() ? not_allowed() : serve_object(call);
}

net::HttpReply KubeHandler::serve_object(KubeCall& call) {
  ClusterState& state = world_.state();
  const bool pods = call.type->resource == "pods";
  if (call.verb == "evict" && pods) return evict_pod(world_, call);
  if (call.verb == "create" && call.subresource == "token" && call.type->resource == "serviceaccounts") {
    return issue_token(call);
  }
  const bool status = call.subresource == "status" && call.type->has_subresource("status");
  if (!call.subresource.empty() && !status) {
    return call.type->has_subresource(call.subresource) ? not_allowed() : no_such_path();
  }
  if (call.verb == "get") return get_object(state, call);
  if (call.verb == "update") return update_object(state, call);
  if (call.verb == "patch") return patch_object(state, call);
  if (call.verb == "delete" && call.type->resource == "namespaces") return delete_namespace(world_, call);
  if (call.verb == "delete") return pods ? delete_pod(world_, call) : delete_object(state, call);
  return not_allowed();
}

// TokenRequest: a bearer token that ends by itself.
net::HttpReply KubeHandler::issue_token(KubeCall& call) {
  ClusterState& state = world_.state();
  auto request = body_of(call);
  if (!request) return bad_request(request.error().text);
  const ObjectPtr account = state.objects.find("serviceaccounts", call.key);
  if (account == nullptr) return not_found(*call.type, call.key.name);
  constexpr std::int64_t least = 600;
  constexpr std::int64_t most = std::int64_t{365} * 24 * 3600;
  const std::int64_t length = integer_at(value_at(*request, "spec"), "expirationSeconds").value_or(3600);
  if (length < least || length > most) {
    return invalid_field(
        {"authentication.k8s.io", "TokenRequest", ""}, "spec.expirationSeconds",
        fmt::format("Invalid value: {}: may not specify a duration less than 10 minutes", length));
  }
  const WallTime expires = state.clock.wall() + std::chrono::seconds{length};
  const Secret token("sandbox-" + state.objects.new_uid());
  tokens_.accept(
      token, authenticated_user(fmt::format("system:serviceaccount:{}:{}", call.key.space, call.key.name)),
      expires);
  json::value answer = std::move(*request);
  make_at(answer, "kind") = "TokenRequest";
  make_at(answer, "apiVersion") = "authentication.k8s.io/v1";
  make_at(answer, "metadata.name") = call.key.name;
  make_at(answer, "metadata.namespace") = call.key.space;
  make_at(answer, "metadata.creationTimestamp") = format_rfc3339(state.clock.wall());
  make_at(answer, "spec.expirationSeconds") = length;
  if (value_at(answer, "spec.audiences") == nullptr) {
    make_at(answer, "spec.audiences") = json::array{"https://kubernetes.default.svc"};
  }
  make_at(answer, "status.token") = token.reveal();
  make_at(answer, "status.expirationTimestamp") = format_rfc3339(expires);
  return json_response(201, json::serialize(answer));
}

void KubeHandler::record(const KubeCall& call, int status) {
  const std::string outcome = status >= 200 && status < 300 ? "ok" : std::to_string(status);
  if (call.type == nullptr) {
    world_.state().journal.call("kubernetes", "discovery.get", call.path, outcome);
    return;
  }
  std::map<std::string, std::string> details = call.details;
  const ObjectPtr object = world_.state().objects.find(call.type->resource, call.key);
  if (object != nullptr) details.try_emplace("uid", std::string(uid_of(*object)));
  world_.state().journal.call("kubernetes", fmt::format("{}.{}", call.type->resource, call.verb),
                              call.key.str(), outcome, std::move(details));
}

}  // namespace ferryman::sandbox
