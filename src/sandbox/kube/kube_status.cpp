// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/kube_status.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

namespace ferryman::sandbox {

namespace {

/// The machine's word for how a problem's text begins.
std::string_view cause_of(std::string_view why) {
  const std::string_view word = why.substr(0, why.find(':'));
  if (word == "Required value") return "FieldValueRequired";
  if (word == "Unsupported value") return "FieldValueNotSupported";
  if (word == "Duplicate value") return "FieldValueDuplicate";
  if (word == "Too long") return "FieldValueTooLong";
  if (word == "Forbidden") return "FieldValueForbidden";
  return "FieldValueInvalid";
}

}  // namespace

json::object failure_status(int code, std::string_view reason, std::string message, json::object details) {
  json::object status;
  status["kind"] = "Status";
  status["apiVersion"] = "v1";
  status["metadata"] = json::object();
  status["status"] = "Failure";
  status["message"] = std::move(message);
  if (!reason.empty()) status["reason"] = reason;
  if (!details.empty()) status["details"] = std::move(details);
  status["code"] = code;
  return status;
}

net::HttpResponse json_response(int code, std::string body) {
  net::HttpResponse response(code, std::move(body));
  response.headers.set("Content-Type", "application/json");
  return response;
}

net::HttpResponse status_response(const json::object& status) {
  const json::value* code = status.if_contains("code");
  const bool usable = code != nullptr && code->is_int64();
  net::HttpResponse response =
      json_response(usable ? static_cast<int>(code->get_int64()) : 500, json::serialize(status));
  const json::value* details = status.if_contains("details");
  const auto retry = integer_at(details, "retryAfterSeconds");
  if (retry) response.headers.set("Retry-After", std::to_string(*retry));
  return response;
}

net::HttpResponse failure(int code, std::string_view reason, std::string message, json::object details) {
  return status_response(failure_status(code, reason, std::move(message), std::move(details)));
}

json::object details_of(const ResourceType& type, std::string_view name) {
  json::object details;
  details["name"] = name;
  if (!type.group.empty()) details["group"] = type.group;
  details["kind"] = type.resource;
  return details;
}

net::HttpResponse not_found(const ResourceType& type, std::string_view name) {
  return failure(404, "NotFound", fmt::format("{} \"{}\" not found", type.qualified(), name),
                 details_of(type, name));
}

net::HttpResponse conflict(const ResourceType& type, std::string_view name, std::string_view why) {
  return failure(409, "Conflict",
                 fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", type.qualified(), name, why),
                 details_of(type, name));
}

net::HttpResponse already_exists(const ResourceType& type, std::string_view name) {
  return failure(409, "AlreadyExists", fmt::format("{} \"{}\" already exists", type.qualified(), name),
                 details_of(type, name));
}

net::HttpResponse invalid_field(const InvalidThing& thing, std::string_view field, std::string_view why) {
  json::object details;
  if (!thing.name.empty()) details["name"] = thing.name;
  if (!thing.group.empty()) details["group"] = thing.group;
  details["kind"] = thing.kind;
  json::object cause;
  cause["reason"] = cause_of(why);
  cause["message"] = why;
  cause["field"] = field;
  details["causes"] = json::array{std::move(cause)};
  const std::string kind =
      thing.group.empty() ? std::string(thing.kind) : fmt::format("{}.{}", thing.kind, thing.group);
  return failure(422, "Invalid", fmt::format("{} \"{}\" is invalid: {}: {}", kind, thing.name, field, why),
                 std::move(details));
}

net::HttpResponse invalid_object(const ResourceType& type, std::string_view name, std::string_view field,
                                 std::string_view why) {
  return invalid_field({type.group, type.kind, name}, field, why);
}

net::HttpResponse bad_request(std::string message) {
  return failure(400, "BadRequest", std::move(message));
}

net::HttpResponse namespace_ends(const ResourceType& type, std::string_view name, std::string_view space) {
  json::object cause;
  cause["reason"] = "NamespaceTerminating";
  cause["message"] = fmt::format("namespace {} is being terminated", space);
  cause["field"] = "metadata.namespace";
  json::object details = details_of(type, name);
  details["causes"] = json::array{std::move(cause)};
  return failure(
      403, "Forbidden",
      fmt::format("{} \"{}\" is forbidden: unable to create new content in namespace {} because it "
                  "is being terminated",
                  type.qualified(), name, space),
      std::move(details));
}

net::HttpResponse refused_by_budget(std::string_view budget, std::int64_t desired, std::int64_t healthy) {
  json::object cause;
  cause["reason"] = "DisruptionBudget";
  cause["message"] = fmt::format("The disruption budget {} needs {} healthy pods and has {} currently",
                                 budget, desired, healthy);
  json::object details;
  details["causes"] = json::array{std::move(cause)};
  return failure(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.",
                 std::move(details));
}

net::HttpResponse two_budgets() {
  return failure(
      500, "",
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
}

net::HttpResponse no_such_api() {
  net::HttpResponse response(404, "404 page not found\n");
  response.headers.set("Content-Type", "text/plain; charset=utf-8");
  return response;
}

net::HttpResponse no_such_path() {
  return failure(404, "NotFound", "the server could not find the requested resource");
}

net::HttpResponse not_allowed() {
  json::object status = failure_status(405, "MethodNotAllowed",
                                       "the server does not allow this method on the requested resource");
  status["details"] = json::object();
  return status_response(status);
}

net::HttpResponse unsupported_media_type(std::string_view accepted) {
  return failure(
      415, "UnsupportedMediaType",
      fmt::format("the body of the request was in an unknown format - accepted media types include: {}",
                  accepted));
}

net::HttpResponse success(int code, json::object details) {
  json::object status;
  status["kind"] = "Status";
  status["apiVersion"] = "v1";
  status["metadata"] = json::object();
  status["status"] = "Success";
  if (!details.empty()) status["details"] = std::move(details);
  if (code != 200) status["code"] = code;
  return json_response(code, json::serialize(status));
}

}  // namespace ferryman::sandbox
