// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "app/settings_rows/settings_rows.h"

namespace ferryman::app::settings_rows {

namespace {

using enum SettingType;

constexpr std::array rows{
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
};

}  // namespace

SettingsTable cloud() {
  return rows;
}

}  // namespace ferryman::app::settings_rows
