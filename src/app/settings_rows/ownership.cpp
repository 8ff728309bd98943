// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "app/settings_rows/settings_rows.h"

namespace ferryman::app::settings_rows {

namespace {

using enum SettingType;

constexpr std::array rows{
    SettingRow{.name = "cluster-name",
               .environment = "FERRYMAN_CLUSTER_NAME",
               .yaml = "ownership.clusterName",
               .group = "Ownership",
               .help = "name of this cluster; an instance or group tagged kubernetes.io/cluster/NAME, or "
                       "eks:cluster-name=NAME, is ours before its Node is there"},
    SettingRow{.name = "managed-tag",
               .environment = "FERRYMAN_MANAGED_TAG",
               .yaml = "ownership.managedTag",
               .group = "Ownership",
               .help = "key=value of a tag that only this cluster's instances or groups carry; it makes them "
                       "ours before their Node is there"},
    SettingRow{.name = "require-tag",
               .environment = "FERRYMAN_REQUIRE_TAG",
               .yaml = "ownership.requireTag",
               .group = "Ownership",
               .help = "key or key=value of a tag; only instances that carry it, themselves or by their "
                       "group, are managed"},
    SettingRow{.name = "skip-label",
               .environment = "FERRYMAN_SKIP_LABEL",
               .yaml = "ownership.skipLabels",
               .type = list,
               .default_text =
                   "karpenter.sh/nodepool,karpenter.sh/provisioner-name,eks.amazonaws.com/compute-type=auto",
               .nothing = "none",
               .group = "Ownership",
               .help = "Nodes with one of these labels (key or key=value) are left to another system; by "
                       "default those of Karpenter and of EKS Auto Mode"},
};

}  // namespace

SettingsTable ownership() {
  return rows;
}

}  // namespace ferryman::app::settings_rows
