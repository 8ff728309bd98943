// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "app/settings_rows/settings_rows.h"

namespace ferryman::app::settings_rows {

namespace {

using enum SettingType;

constexpr std::array rows{
    SettingRow{.name = "shadow",
               .environment = "FERRYMAN_SHADOW",
               .yaml = "process.shadow",
               .type = boolean,
               .default_text = "false",
               .group = "Process",
               .help = "decide, log and count as always, but write nothing anywhere: no Node is touched, no "
                       "pod evicted, no hook completed, no message deleted"},
    SettingRow{.name = "pause-config-map",
               .environment = "FERRYMAN_PAUSE_CONFIG_MAP",
               .yaml = "process.pauseConfigMap",
               .group = "Process",
               .help = "ConfigMap, as namespace/name or name, whose key paused set to true stops new work "
                       "while what runs goes on; not given: no such switch"},
    SettingRow{.name = "call-timeout",
               .environment = "FERRYMAN_CALL_TIMEOUT",
               .yaml = "process.callTimeout",
               .type = duration,
               .default_text = "10s",
               .least = 1,
               .most = 300,
               .group = "Process",
               .help = "longest time for one call of AWS or Kubernetes"},
    SettingRow{.name = "listen",
               .environment = "FERRYMAN_LISTEN",
               .yaml = "http.listen",
               .type = address,
               .default_text = "0.0.0.0:8080",
               .group = "Process",
               .help = "address of /healthz, /readyz, /metrics and the status page; port 0 takes a free one"},
    SettingRow{
        .name = "shutdown-grace",
        .environment = "FERRYMAN_SHUTDOWN_GRACE",
        .yaml = "process.shutdownGrace",
        .type = duration,
        .default_text = "25s",
        .least = 1,
        .most = 3600,
        .group = "Process",
        .help =
            "time after SIGTERM for running work to reach a point from which a successor goes on; keep it "
            "under the pod's own grace period"},
    SettingRow{
        .name = "end-with",
        .environment = "FERRYMAN_END_WITH",
        .type = integer,
        .default_text = "0",
        .least = 0,
        .most = 4'194'304,
        .group = "Process",
        .help = "number of the process that started this one: killed with it; 0: goes on alone. The demo's "
                "daemon is started so"},
    SettingRow{.name = "log-format",
               .environment = "FERRYMAN_LOG_FORMAT",
               .yaml = "log.format",
               .type = choice,
               .default_text = "text",
               .choices = "text json",
               .group = "Process",
               .help = "form of the log lines on standard error"},
    SettingRow{.name = "log-level",
               .environment = "FERRYMAN_LOG_LEVEL",
               .yaml = "log.level",
               .type = choice,
               .default_text = "info",
               .choices = "debug info warn error",
               .group = "Process",
               .help = "lowest level that is written"},
    SettingRow{.name = "kubernetes-events",
               .environment = "FERRYMAN_KUBERNETES_EVENTS",
               .yaml = "notices.kubernetesEvents",
               .type = boolean,
               .default_text = "true",
               .group = "Notices",
               .help = "tell what happens as Kubernetes events on the Node and its pods, so that kubectl "
                       "describe shows it"},
};

}  // namespace

SettingsTable process() {
  return rows;
}

}  // namespace ferryman::app::settings_rows
