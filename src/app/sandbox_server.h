// SPDX-License-Identifier: Apache-2.0
// SandboxServer: a sandbox on loopback sockets: AWS over HTTP or HTTPS, Kubernetes over HTTPS under an
// authority of its own, the control API over HTTP. Await `stop` before destroying one that was started.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/lent_file.h"
#include "app/private_folder.h"
#include "app/sandbox_access.h"
#include "app/settings.h"
#include "base/environment.h"
#include "net/beast_server.h"
#include "net/certificate.h"
#include "sandbox/control.h"
#include "sandbox/scenario.h"

namespace ferryman::app {

class SandboxServer {
 public:
  SandboxServer(Clock& clock, const Log& log, const sandbox::Scenario& scenario);

  /// Listens and writes the access files and the env-file. Errors name the setting that cannot work.
  Result<void> start(const SandboxSettings& settings, const Environment& environment, Files& files);
  Task<void> stop();

  [[nodiscard]] const SandboxAccess& access() const { return access_; }
  [[nodiscard]] sandbox::World& world() { return world_; }
  /// In the scenario's queue, hidden ones too.
  [[nodiscard]] std::size_t messages_left();

 private:
  Result<std::string> listen(std::unique_ptr<net::BeastServer>& server, std::string_view setting,
                             net::HttpHandler& handler, net::ServerOptions options);
  Result<net::Certificate> certify();

  Clock& clock_;
  Log log_;
  sandbox::Scenario scenario_;
  Scope scope_;
  sandbox::World world_;
  sandbox::ControlHandler control_handler_;
  PrivateFolder folder_;
  LentFile env_file_;
  SandboxAccess access_;
  std::unique_ptr<net::BeastServer> aws_;
  std::unique_ptr<net::BeastServer> kubernetes_;
  std::unique_ptr<net::BeastServer> control_;
};

}  // namespace ferryman::app
