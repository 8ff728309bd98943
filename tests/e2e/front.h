// SPDX-License-Identifier: Apache-2.0
// Front: HAProxy (TLS, HTTP/2) before the sandbox's Kubernetes port, with a certificate of its own authority.
#pragma once

#include <memory>
#include <string>

#include "e2e/process.h"
#include "net/certificate.h"
#include "support/haproxy.h"

namespace ferryman::e2e {

class Front {
 public:
  /// Its port takes connections from now on; nobody answers before `open`.
  explicit Front(const Folder& folder);

  [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + std::to_string(socket_.port()); }
  /// A copy of the kubeconfig that goes through the front and trusts its authority; gives the copy's path.
  std::string kubeconfig(const std::string& original) const;
  /// Passes requests on to the API server of that kubeconfig, whose folder holds its authority.
  void open(const std::string& original);

  void freeze() const { haproxy_->freeze(); }
  void thaw() const { haproxy_->thaw(); }

 private:
  const Folder& folder_;
  test::ListeningSocket socket_;
  net::CertificateAuthority authority_;
  std::unique_ptr<test::Haproxy> haproxy_;
};

/// The kubeconfig with another line for each of these keys ("server" → "https://…").
std::string with_lines(const std::string& kubeconfig, const Variables& lines);

/// What stands behind "key: " in the kubeconfig.
std::string line_of(const std::string& kubeconfig, const std::string& key);

}  // namespace ferryman::e2e
