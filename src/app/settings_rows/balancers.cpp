// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "app/settings_rows/settings_rows.h"

namespace ferryman::app::settings_rows {

namespace {

using enum SettingType;

constexpr std::array rows{
    SettingRow{.name = "deregister",
               .environment = "FERRYMAN_DEREGISTER",
               .yaml = "balancers.deregister",
               .type = boolean,
               .default_text = "true",
               .group = "Load balancers",
               .help = "take nodes out of target groups and classic load balancers, by label and by calls"},
    SettingRow{.name = "deregister-from",
               .environment = "FERRYMAN_DEREGISTER_FROM",
               .yaml = "balancers.deregisterFrom",
               .type = list,
               .default_text = "target-group,classic-elb",
               .nothing = "none",
               .group = "Load balancers",
               .help =
                   "what nodes are taken out of by calls: target-group, classic-elb or both; none sets the "
                   "label alone"},
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
    SettingRow{.name = "min-healthy-targets",
               .environment = "FERRYMAN_MIN_HEALTHY_TARGETS",
               .yaml = "balancers.minHealthyTargets",
               .type = integer,
               .default_text = "1",
               .least = 0,
               .most = 1000,
               .group = "Load balancers",
               .help =
                   "an end that may come to nothing leaves so many healthy targets in each target group and "
                   "classic load balancer; its own target stays until others are healthy, or its deadline "
                   "is near"},
    SettingRow{.name = "target-group-bindings",
               .environment = "FERRYMAN_TARGET_GROUP_BINDINGS",
               .yaml = "balancers.targetGroupBindings",
               .type = boolean,
               .default_text = "false",
               .group = "Load balancers",
               .help =
                   "look only at target groups that a TargetGroupBinding of this cluster names, or that have "
                   "a tag of target-group-tag; for accounts with many target groups"},
    SettingRow{.name = "target-group-tag",
               .environment = "FERRYMAN_TARGET_GROUP_TAG",
               .yaml = "balancers.targetGroupTags",
               .type = list,
               .group = "Load balancers",
               .help = "look only at target groups with one of these tags (key or key=value), such as "
                       "elbv2.k8s.aws/cluster=NAME; while none has one, at all of them"},
    SettingRow{.name = "target-group-vpc",
               .environment = "FERRYMAN_TARGET_GROUP_VPC",
               .yaml = "balancers.targetGroupVpcs",
               .type = list,
               .group = "Load balancers",
               .help = "look only at target groups of these VPCs, by id"},
    SettingRow{.name = "target-group-type",
               .environment = "FERRYMAN_TARGET_GROUP_TYPE",
               .yaml = "balancers.targetGroupTypes",
               .type = list,
               .default_text = "instance,ip",
               .group = "Load balancers",
               .help =
                   "look only at target groups of these types; without ip, completion does not wait for the "
                   "addresses of pods"},
    SettingRow{.name = "deregister-ip-targets",
               .environment = "FERRYMAN_DEREGISTER_IP_TARGETS",
               .yaml = "balancers.deregisterIpTargets",
               .type = boolean,
               .default_text = "false",
               .group = "Load balancers",
               .help =
                   "take addresses of a node and its pods out of target groups that no TargetGroupBinding "
                   "keeps; each such group is read for each node that ends"},
};

}  // namespace

SettingsTable balancers() {
  return rows;
}

}  // namespace ferryman::app::settings_rows
