// SPDX-License-Identifier: Apache-2.0
#include "app/settings_table.h"

#include <algorithm>
#include <array>

namespace ferryman::app {

namespace {

using enum SettingType;

// A Service named "ferryman" makes Kubernetes put FERRYMAN_PORT… and FERRYMAN_SERVICE_… into every pod of its
// namespace: no variable here may start like that, and unknown FERRYMAN_… variables are no error.
constexpr std::array serve_rows{
    SettingRow{.name = "config",
               .environment = "FERRYMAN_CONFIG",
               .group = "General",
               .help = "YAML file with settings; flags and variables win over it"},

    SettingRow{.name = "queue-url",
               .environment = "FERRYMAN_QUEUE_URL",
               .yaml = "queue.url",
               .group = "Queue",
               .help = "URL of the SQS queue that the lifecycle hooks and rules send to"},
    SettingRow{.name = "queue-mode",
               .environment = "FERRYMAN_QUEUE_MODE",
               .yaml = "queue.mode",
               .type = choice,
               .default_text = "shared",
               .choices = "shared exclusive",
               .group = "Queue",
               .help =
                   "shared: messages about other clusters' instances are given back; exclusive: nobody else "
                   "reads this queue, so they are deleted"},
    SettingRow{.name = "message-visibility",
               .environment = "FERRYMAN_MESSAGE_VISIBILITY",
               .yaml = "queue.visibility",
               .type = duration,
               .default_text = "20s",
               .least = 10,
               .most = 43'200,
               .group = "Queue",
               .help = "how long a received message is hidden from other readers; extended while it is held"},
    SettingRow{.name = "receives-at-once",
               .environment = "FERRYMAN_RECEIVES_AT_ONCE",
               .yaml = "queue.receivesAtOnce",
               .type = integer,
               .default_text = "2",
               .least = 1,
               .most = 10,
               .group = "Queue",
               .help = "long polls that run side by side when the queue is full"},

    SettingRow{.name = "region",
               .environment = "FERRYMAN_REGION",
               .shared_environment = "AWS_REGION AWS_DEFAULT_REGION",
               .yaml = "aws.region",
               .group = "AWS",
               .help =
                   "AWS region; when it is not given, it is read from the queue URL, the shared profile or "
                   "the metadata of the instance"},
    SettingRow{.name = "use-fips-endpoint",
               .environment = "FERRYMAN_USE_FIPS_ENDPOINT",
               .shared_environment = "AWS_USE_FIPS_ENDPOINT",
               .yaml = "aws.useFipsEndpoint",
               .type = boolean,
               .default_text = "false",
               .group = "AWS",
               .help = "call the endpoints whose cryptography is validated by FIPS 140"},
    SettingRow{.name = "use-dualstack-endpoint",
               .environment = "FERRYMAN_USE_DUALSTACK_ENDPOINT",
               .shared_environment = "AWS_USE_DUALSTACK_ENDPOINT",
               .yaml = "aws.useDualstackEndpoint",
               .type = boolean,
               .default_text = "false",
               .group = "AWS",
               .help = "call the endpoints that answer on IPv6 as well as IPv4"},

    SettingRow{.name = "kubeconfig",
               .environment = "FERRYMAN_KUBECONFIG",
               .shared_environment = "KUBECONFIG",
               .yaml = "kubernetes.kubeconfig",
               .group = "Kubernetes",
               .help = "kubeconfig file; when it is not given, the pod's service account is used"},
    SettingRow{.name = "kube-context",
               .environment = "FERRYMAN_KUBE_CONTEXT",
               .yaml = "kubernetes.context",
               .group = "Kubernetes",
               .help = "context of the kubeconfig; when it is not given, its current-context"},

    SettingRow{
        .name = "hook",
        .environment = "FERRYMAN_HOOK",
        .yaml = "termination.hooks",
        .type = list,
        .default_text = "*",
        .group = "Termination",
        .help = "names of the lifecycle hooks that are ours to keep alive and complete, as globs; another's "
                "hook still starts the drain"},
    SettingRow{.name = "max-termination-time",
               .environment = "FERRYMAN_MAX_TERMINATION_TIME",
               .yaml = "termination.maxTime",
               .type = duration,
               .default_text = "1h",
               .least = 30,
               .most = 172'800,
               .group = "Termination",
               .help = "longest time for one instance, from its event to the completed hook"},
    SettingRow{.name = "delete-phase-at",
               .environment = "FERRYMAN_DELETE_PHASE_AT",
               .yaml = "termination.deletePhaseAt",
               .type = integer,
               .default_text = "80",
               .unit = "%",
               .least = 1,
               .most = 100,
               .group = "Termination",
               .help = "share of the time after which pods that budgets still protect are deleted"},
    SettingRow{.name = "deadline-margin",
               .environment = "FERRYMAN_DEADLINE_MARGIN",
               .yaml = "termination.deadlineMargin",
               .type = duration,
               .default_text = "15s",
               .least = 1,
               .most = 600,
               .group = "Termination",
               .help = "time kept before a deadline for completing the hook itself"},
    SettingRow{.name = "pod-namespace",
               .environment = "FERRYMAN_POD_NAMESPACE",
               .shared_environment = "POD_NAMESPACE",
               .yaml = "termination.ownNamespace",
               .group = "Termination",
               .help = "namespace of the pod that Ferryman runs in; with pod-name it is drained last"},
    SettingRow{.name = "pod-name",
               .environment = "FERRYMAN_POD_NAME",
               .shared_environment = "POD_NAME",
               .yaml = "termination.ownName",
               .group = "Termination",
               .help = "name of the pod that Ferryman runs in"},

    SettingRow{.name = "deregister",
               .environment = "FERRYMAN_DEREGISTER",
               .yaml = "balancers.deregister",
               .type = boolean,
               .default_text = "true",
               .group = "Load balancers",
               .help = "take nodes out of target groups and classic load balancers, by label and by calls"},
    SettingRow{.name = "continued-service",
               .environment = "FERRYMAN_CONTINUED_SERVICE",
               .yaml = "balancers.continuedService",
               .type = duration,
               .default_text = "20s",
               .least = 0,
               .most = 3600,
               .group = "Load balancers",
               .help =
                   "how long application and classic load balancers go on sending new requests to a target "
                   "after its deregistration"},
    SettingRow{.name = "continued-service-network",
               .environment = "FERRYMAN_CONTINUED_SERVICE_NETWORK",
               .yaml = "balancers.continuedServiceNetwork",
               .type = duration,
               .default_text = "130s",
               .least = 0,
               .most = 3600,
               .group = "Load balancers",
               .help = "the same for network and gateway load balancers"},

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
};

}  // namespace

std::string_view name_of(SettingType type) {
  switch (type) {
    case text:
      return "text";
    case boolean:
      return "true or false";
    case integer:
      return "integer";
    case duration:
      return "duration";
    case list:
      return "list";
    case address:
      return "address:port";
    case choice:
      return "one of";
  }
  return "text";
}

SettingsTable serve_table() {
  return serve_rows;
}

const SettingRow* find_setting(SettingsTable table, std::string_view name) {
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const SettingRow& r) { return r.name == name; });
  return row == table.end() ? nullptr : &*row;
}

}  // namespace ferryman::app
