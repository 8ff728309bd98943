// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/call_parameters.h"

#include <fmt/format.h>

#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/object_writes.h"
#include "sandbox/kube/protobuf_body.h"

namespace ferryman::sandbox {

namespace {

std::string_view options_of(const KubeCall& call) {
  if (call.method == "GET") return "ListOptions";
  if (call.method == "DELETE") return "DeleteOptions";
  if (call.method == "PATCH") return "PatchOptions";
  return call.method == "PUT" ? "UpdateOptions" : "CreateOptions";
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

net::HttpResponse invalid_option(const KubeCall& call, std::string_view field, std::string_view why) {
  return invalid_field({"meta.k8s.io", options_of(call), ""}, field, why);
}

std::optional<net::HttpResponse> bad_list(const KubeCall& call) {
  const std::string_view version = call.parameter("resourceVersion");
  const std::string_view match = call.parameter("resourceVersionMatch");
  if (!call.parameter("sendInitialEvents").empty() && match != "NotOlderThan") {
    return invalid_option(
        call, "resourceVersionMatch",
        "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (version.empty() && !match.empty() && !call.flag("sendInitialEvents")) {
    return invalid_option(call, "resourceVersionMatch",
                          "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (!version.empty() && version != "0" && !call.parameter("continue").empty()) {
    return bad_request("specifying resource version is not allowed when using continue");
  }
  if (version.empty() || (is_number(version) && version.front() != '-')) return std::nullopt;
  const std::string why =
      fmt::format("resourceVersion: Invalid value: \"{}\": strconv.ParseUint: parsing \"{}\": invalid syntax",
                  version, version);
  // A watch answers 500 for what is 400 to a list.
  if (call.verb == "watch") return failure(500, "", why);
  return bad_request("invalid resource version: " + why);
}

}  // namespace

std::optional<net::HttpResponse> bad_parameters(const KubeCall& call) {
  for (const char* name : {"limit", "timeoutSeconds", "gracePeriodSeconds"}) {
    const std::string_view value = call.parameter(name);
    if (!value.empty() && !is_number(value)) {
      return bad_request(fmt::format("strconv.ParseInt: parsing \"{}\": invalid syntax", value));
    }
  }
  if (call.verb == "list" || call.verb == "watch") return bad_list(call);
  if (call.method == "GET") return std::nullopt;
  const std::string_view dry = call.parameter("dryRun");
  if (!dry.empty() && dry != "All") {
    return invalid_option(call, "dryRun",
                          fmt::format("Unsupported value: [\"{}\"]: supported values: \"All\"", dry));
  }
  const std::string_view validation = call.parameter("fieldValidation");
  if (validation.empty() || validation == "Strict" || validation == "Warn" || validation == "Ignore") {
    return std::nullopt;
  }
  return invalid_option(
      call, "fieldValidation",
      fmt::format("Unsupported value: \"{}\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"",
                  validation));
}

std::optional<net::HttpResponse> unreadable_body(const KubeCall& call) {
  if (call.method == "GET" || call.method == "PATCH" || call.body.empty()) return std::nullopt;
  std::string_view type = call.headers.get("Content-Type");
  type = type.substr(0, type.find(';'));
  // Nobody shall lose an event for its form: what cannot be read is taken unread.
  const bool event = call.resource == "events" && call.verb == "create";
  if (call.has_protobuf_body() && (event || parse_protobuf(call.body, body_type(call)))) return std::nullopt;
  if (type.empty() || type == "application/json" || type == "application/yaml") return std::nullopt;
  return unsupported_media_type("application/json, application/yaml, application/vnd.kubernetes.protobuf");
}

}  // namespace ferryman::sandbox
