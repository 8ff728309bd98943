// SPDX-License-Identifier: Apache-2.0
// KubeHandler: the API server of a KubeWorld. Serves any client (Ferryman, kubectl) in process or over
// sockets, and writes each call into the journal. The world must outlive it; it must outlive the streams that
// it gave out.
#pragma once

#include <optional>
#include <string>

#include "base/secret.h"
#include "net/http_handler.h"
#include "sandbox/kube/kube_call.h"
#include "sandbox/kube/kube_tokens.h"
#include "sandbox/kube/kube_world.h"

namespace ferryman::sandbox {

class KubeHandler final : public net::HttpHandler {
 public:
  explicit KubeHandler(KubeWorld& world) : world_(world) {}

  /// From the first token on, calls without an accepted one get 401. This one is an administrator's.
  void accept_token(const Secret& token, std::string user);
  /// Of a user who may do what the roles allow that are bound to the name or its groups (RBAC), and nothing
  /// else.
  void accept_token(const Secret& token, KubeUser user);
  void refuse_token(const Secret& token);

  Task<net::HttpReply> handle(net::HttpRequest request) override;

 private:
  /// Empty when the call may go on.
  std::optional<net::HttpResponse> refusal(KubeCall& call) const;
  std::optional<net::HttpResponse> impersonate(KubeCall& call) const;
  net::HttpReply serve(KubeCall& call);
  net::HttpReply serve_resource(KubeCall& call);
  net::HttpReply serve_object(KubeCall& call);
  net::HttpReply issue_token(KubeCall& call);
  void record(const KubeCall& call, int status);

  KubeWorld& world_;
  KubeTokens tokens_;
};

}  // namespace ferryman::sandbox
