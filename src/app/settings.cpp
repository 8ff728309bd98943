// SPDX-License-Identifier: Apache-2.0
#include "app/settings.h"

#include <fmt/format.h>

#include "app/policy_settings.h"

namespace ferryman::app {

namespace {

Level level_of(std::string_view name) {
  for (const Level level : {Level::debug, Level::info, Level::warn}) {
    if (name == name_of(level)) return level;
  }
  return Level::error;
}

std::uint16_t port_of(const ResolvedSettings& resolved, std::string_view name) {
  return static_cast<std::uint16_t>(resolved.integer(name));
}

}  // namespace

Settings::Settings(const ResolvedSettings& resolved)
    : queue_url(resolved.text("queue-url")),
      region(resolved.text("region")),
      use_fips_endpoint(resolved.boolean("use-fips-endpoint")),
      use_dualstack_endpoint(resolved.boolean("use-dualstack-endpoint")),
      kubeconfig(resolved.text("kubeconfig")),
      kube_context(resolved.text("kube-context")),
      kubernetes_events(resolved.boolean("kubernetes-events")),
      listen(resolved.address("listen")),
      shutdown_grace(resolved.duration("shutdown-grace")),
      end_with(resolved.integer("end-with")) {
  PolicyReading reading(resolved);
  policy = std::move(reading.policy);
  problems = std::move(reading.problems);
  log.json = resolved.text("log-format") == "json";
  log.level = level_of(resolved.text("log-level"));
  for (const auto& [name, setting] : resolved.all()) {
    if (setting.given) sources[name] = setting.source;
  }
}

SandboxSettings::SandboxSettings(const ResolvedSettings& resolved)
    : aws_port(port_of(resolved, "aws-port")),
      kubernetes_port(port_of(resolved, "kubernetes-port")),
      control_port(port_of(resolved, "control-port")),
      tls(resolved.boolean("tls")),
      dir(resolved.text("dir")),
      env_file(resolved.text("env-file")) {}

DemoSettings::DemoSettings(const ResolvedSettings& resolved)
    : terminate(resolved.integer("terminate")),
      timeout(resolved.duration("timeout")),
      report(resolved.text("report")),
      daemon_log(resolved.text("daemon-log")),
      max_termination_time(resolved.duration("max-termination-time")) {
  for (const std::string_view name : demo_daemon_settings())
    daemon_flags.push_back(fmt::format("--{}={}", name, resolved.written(name)));
}

}  // namespace ferryman::app
