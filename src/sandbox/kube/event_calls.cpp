// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/event_calls.h"

#include <fmt/format.h>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/object_writes.h"

namespace ferryman::sandbox {

net::HttpReply create_event(ClusterState& state, KubeCall& call) {
  if (call.has_protobuf_body()) {
    return json_response(201, R"({"kind":"Event","apiVersion":"v1","metadata":{}})");
  }
  const auto event = body_of(call);
  if (!event) return bad_request(event.error().text);
  call.details["reason"] = text_at(*event, "reason");
  call.details["about"] = text_at(*event, "involvedObject.name");
  // An event about an object without a namespace, such as a Node, lives in "default".
  const std::string_view about = text_at(*event, "involvedObject.namespace");
  if (call.key.space != (about.empty() ? "default" : about)) {
    return failure(422, "Invalid",
                   fmt::format("Event \"{}\" is invalid: involvedObject.namespace: Invalid value: \"{}\": "
                               "does not match event.namespace",
                               text_at(*event, "metadata.name"), about),
                   details_of(*call.type, text_at(*event, "metadata.name")));
  }
  return create_object(state, call);
}

}  // namespace ferryman::sandbox
