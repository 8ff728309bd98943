// SPDX-License-Identifier: Apache-2.0
// Status: how the API server says that a call failed, and that an eviction or deletion succeeded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"
#include "net/http.h"
#include "sandbox/kube/resource_types.h"

namespace ferryman::sandbox {

/// `reason` is one of the API's words, such as "NotFound"; empty where the API server gives none.
json::object failure_status(int code, std::string_view reason, std::string message,
                            json::object details = {});

net::HttpResponse json_response(int code, std::string body);
/// With the code that stands in the status.
net::HttpResponse status_response(const json::object& status);
net::HttpResponse failure(int code, std::string_view reason, std::string message, json::object details = {});

net::HttpResponse not_found(const ResourceType& type, std::string_view name);
net::HttpResponse conflict(const ResourceType& type, std::string_view name, std::string_view why);
net::HttpResponse already_exists(const ResourceType& type, std::string_view name);
/// Whom a 422 is about: a kind, and the object's name where it has one.
struct InvalidThing {
  std::string_view group;
  std::string_view kind;
  std::string_view name;
};

/// 422: what is wrong with which field.
net::HttpResponse invalid_field(const InvalidThing& thing, std::string_view field, std::string_view why);
net::HttpResponse invalid_object(const ResourceType& type, std::string_view name, std::string_view field,
                                 std::string_view why);
net::HttpResponse bad_request(std::string message);
/// 403 with the cause NamespaceTerminating: nothing new is made there, evictions included.
net::HttpResponse namespace_ends(const ResourceType& type, std::string_view name, std::string_view space);
/// An eviction's 429 with the cause DisruptionBudget.
net::HttpResponse refused_by_budget(std::string_view budget, std::int64_t desired, std::int64_t healthy);
/// An eviction's 500: more than one budget covers the pod.
net::HttpResponse two_budgets();
/// In plain text: no API has this path.
net::HttpResponse no_such_api();
net::HttpResponse no_such_path();
net::HttpResponse not_allowed();
net::HttpResponse unsupported_media_type(std::string_view accepted);

/// kind Status, status Success.
net::HttpResponse success(int code, json::object details = {});

/// {name, kind: the resource, group}.
json::object details_of(const ResourceType& type, std::string_view name);

}  // namespace ferryman::sandbox
