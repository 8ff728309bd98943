// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/event_calls.h"

#include <fmt/format.h>

#include "sandbox/kube/event_forms.h"
#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/object_writes.h"

namespace ferryman::sandbox {

namespace {

/// events.k8s.io insists on what v1 lets be missing.
std::optional<net::HttpResponse> incomplete(const KubeCall& call, const json::value& event) {
  if (call.type->group.empty()) return std::nullopt;
  for (const char* field : {"eventTime", "reportingController", "reportingInstance", "action", "reason"}) {
    if (string_at(event, field).empty()) {
      return invalid_object(*call.type, text_at(event, "metadata.name"), field, "Required value");
    }
  }
  return std::nullopt;
}

/// Members that the API server writes even when they say nothing.
void fill(json::value& event) {
  json::object& object = event.get_object();
  for (const char* time : {"eventTime", "firstTimestamp", "lastTimestamp"}) object.emplace(time, nullptr);
  for (const char* text : {"reportingComponent", "reportingInstance"}) object.emplace(text, "");
  object.emplace("source", json::object());
}

}  // namespace

net::HttpReply create_event(ClusterState& state, KubeCall& call) {
  auto body = body_of(call);
  // Nobody shall lose an event for its form: what cannot be read is taken unread.
  if (!body && call.has_protobuf_body()) {
    return json_response(201, R"({"kind":"Event","apiVersion":"v1","metadata":{}})");
  }
  if (!body) return bad_request(body.error().text);
  if (auto answer = decode(call, *body)) return std::move(*answer);
  if (auto answer = incomplete(call, *body)) return std::move(*answer);
  json::value event = stored_form(*call.type, std::move(*body));
  fill(event);
  call.details["reason"] = text_at(event, "reason");
  call.details["about"] = text_at(event, "involvedObject.name");
  // An event about an object without a namespace, such as a Node, lives in "default".
  const std::string_view about = text_at(event, "involvedObject.namespace");
  if (call.key.space != (about.empty() ? "default" : about)) {
    return invalid_object(*call.type, text_at(event, "metadata.name"), "involvedObject.namespace",
                          fmt::format("Invalid value: \"{}\": does not match event.namespace", about));
  }
  return create_from(state, call, std::move(event));
}

}  // namespace ferryman::sandbox
