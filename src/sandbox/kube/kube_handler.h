// SPDX-License-Identifier: Apache-2.0
// KubeHandler: the API server of a KubeWorld. Serves any client (Ferryman, kubectl) in process or over
// sockets, and writes each call into the journal. The world must outlive it; it must outlive the streams that
// it gave out.
#pragma once

#include <map>
#include <string>

#include "base/secret.h"
#include "net/http_handler.h"
#include "sandbox/kube/kube_call.h"
#include "sandbox/kube/kube_world.h"

namespace ferryman::sandbox {

class KubeHandler final : public net::HttpHandler {
 public:
  explicit KubeHandler(KubeWorld& world) : world_(world) {}

  /// From the first token on, calls without an accepted one get 401. `user` will matter to RBAC.
  void accept_token(const Secret& token, std::string user);
  void refuse_token(const Secret& token);

  Task<net::HttpReply> handle(net::HttpRequest request) override;

 private:
  bool authenticate(KubeCall& call) const;
  net::HttpReply serve(KubeCall& call);
  net::HttpReply serve_resource(KubeCall& call);
  void record(const KubeCall& call, int status);

  KubeWorld& world_;
  std::map<std::string, std::string> users_;  // by token
  bool open_ = true;                          // until a token is set
};

}  // namespace ferryman::sandbox
