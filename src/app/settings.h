// SPDX-License-Identifier: Apache-2.0
// Settings: what the rows of the tables say, as plain values. One struct per command.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/settings_resolver.h"
#include "base/log.h"
#include "termination/policy.h"

namespace ferryman::app {

/// How a process logs.
class LogSettings {
 public:
  LogSettings() = default;

  bool json = false;
  Level level = Level::info;
};

/// `ferryman serve`.
class Settings {
 public:
  Settings() : Settings(default_settings(serve_table())) {}
  explicit Settings(const ResolvedSettings& resolved);

  std::string queue_url;
  std::string region;          // empty: from the queue URL
  std::string kubeconfig;      // empty: in-cluster
  std::string kube_context;    // empty: the kubeconfig's own
  termination::Policy policy;  // its account and region are the daemon's to fill in
  Address listen;
  Duration shutdown_grace{0};
  LogSettings log;
};

/// `ferryman sandbox`. What was not given is the scenario's to say.
class SandboxSettings {
 public:
  SandboxSettings() : SandboxSettings(default_settings(sandbox_table())) {}
  explicit SandboxSettings(const ResolvedSettings& resolved);

  ResolvedSettings resolved;
  std::string scenario;
  std::int64_t nodes = 0;
  std::int64_t pods_per_node = 0;
  Duration heartbeat_timeout{0};
  Duration pod_grace{0};
  std::string region;
  std::uint16_t aws_port = 0;
  std::uint16_t kubernetes_port = 0;
  std::uint16_t control_port = 0;
  bool tls = false;
  std::string dir;
  std::string env_file;
};

/// `ferryman demo`.
class DemoSettings {
 public:
  explicit DemoSettings(const ResolvedSettings& resolved);

  SandboxSettings sandbox;
  std::int64_t terminate = 0;
  Duration timeout{0};
  std::string report;
  std::string daemon_log;
};

}  // namespace ferryman::app
