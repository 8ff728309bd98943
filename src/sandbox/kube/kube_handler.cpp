// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/kube_handler.h"

#include <fmt/format.h>

#include "sandbox/kube/discovery.h"
#include "sandbox/kube/event_calls.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/object_reads.h"
#include "sandbox/kube/object_writes.h"
#include "sandbox/kube/pod_calls.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

void KubeHandler::accept_token(const Secret& token, std::string user) {
  open_ = false;
  users_[token.reveal()] = std::move(user);
}

void KubeHandler::refuse_token(const Secret& token) {
  open_ = false;
  users_.erase(token.reveal());
}

bool KubeHandler::authenticate(KubeCall& call) const {
  if (open_) {
    call.user = "system:admin";
    return true;
  }
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view header = call.headers.get("Authorization");
  if (!header.starts_with(scheme)) return false;
  const auto found = users_.find(std::string(header.substr(scheme.size())));
  if (found == users_.end()) return false;
  call.user = found->second;
  return true;
}

Task<net::HttpReply> KubeHandler::handle(net::HttpRequest request) {
  KubeCall call = understand(std::move(request));
  net::HttpReply reply = serve(call);
  record(call, reply.response.status);
  co_return reply;
}

net::HttpReply KubeHandler::serve(KubeCall& call) {
  if (!authenticate(call)) return failure(401, "Unauthorized", "Unauthorized");
  // RBAC belongs here: may call.user do call.verb on call.type and call.subresource?
  if (call.type == nullptr) return discover(call);
  if (call.form == OutputForm::unusable) {
    return failure(406, "NotAcceptable", "only the following media types are accepted: application/json");
  }
  const bool new_event = call.type->resource == "events" && call.verb == "create";
  if (new_event) return create_event(world_.state(), call);
  if (call.has_protobuf_body()) return unsupported_media_type("application/json");
  return serve_resource(call);
}

net::HttpReply KubeHandler::serve_resource(KubeCall& call) {
  ClusterState& state = world_.state();
  const bool pods = call.type->resource == "pods";
  if (call.verb == "list") return list_objects(state, call);
  if (call.verb == "watch") return watch_objects(state, call);
  if (call.verb == "create" && call.key.name.empty()) return create_object(state, call);
  if (call.key.name.empty()) return not_allowed();
  const bool plain = call.subresource.empty() || call.subresource == "status";
  if (call.verb == "evict" && pods) return evict_pod(world_, call);
  if (!plain) return no_such_path();
  if (call.verb == "get") return get_object(state, call);
  if (call.verb == "update") return update_object(state, call);
  if (call.verb == "patch") return patch_object(state, call);
  if (call.verb == "delete") return pods ? delete_pod(world_, call) : delete_object(state, call);
  return not_allowed();
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
