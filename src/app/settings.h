// SPDX-License-Identifier: Apache-2.0
// Settings: what the rows of the tables say, as plain values. One struct per command.
#pragma once

#include <cstdint>
#include <map>
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
  explicit LogSettings(Level lowest) : level(lowest) {}

  bool json = false;
  Level level = Level::info;
};

/// `ferryman serve`.
class Settings {
 public:
  Settings() : Settings(default_settings(serve_table())) {}
  explicit Settings(const ResolvedSettings& resolved);

  std::string queue_url;
  std::string region;  // empty: from the queue URL, the shared profile or the instance's metadata
  bool use_fips_endpoint = false;
  bool use_dualstack_endpoint = false;
  std::string kubeconfig;      // empty: in-cluster
  std::string kube_context;    // empty: the kubeconfig's own
  termination::Policy policy;  // its account and region are the daemon's to fill in
  bool kubernetes_events = true;
  Address listen;
  Duration shutdown_grace{0};
  std::int64_t end_with = 0;  // our parent's process id; 0: we end alone
  LogSettings log;
  std::vector<std::string> problems;           // what cannot work, as far as the settings alone tell
  std::map<std::string, std::string> sources;  // of what was given: "kubeconfig" → "flag --kubeconfig"
};

/// `ferryman sandbox`: how it is served. What it plays is its Scenario.
class SandboxSettings {
 public:
  explicit SandboxSettings(const ResolvedSettings& resolved);

  std::uint16_t aws_port = 0;  // 0: a free one
  std::uint16_t kubernetes_port = 0;
  std::uint16_t control_port = 0;
  bool tls = false;
  std::string dir;  // empty: a temporary folder
  std::string env_file;
};

/// `ferryman demo`.
class DemoSettings {
 public:
  explicit DemoSettings(const ResolvedSettings& resolved);

  std::int64_t terminate = 0;
  Duration timeout{0};
  std::string report;
  std::string daemon_log;
  std::vector<std::string> daemon_flags;  // for `ferryman serve`
  Duration max_termination_time{0};
};

}  // namespace ferryman::app
