// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "app/settings_rows/settings_rows.h"

namespace ferryman::app::settings_rows {

namespace {

using enum SettingType;

constexpr std::array rows{
    SettingRow{
        .name = "on-asg-terminate",
        .environment = "FERRYMAN_ON_ASG_TERMINATE",
        .yaml = "events.onAsgTerminate",
        .type = choice,
        .default_text = "drain",
        .choices = "ignore taint cordon drain",
        .group = "Events",
        .help = "when Auto Scaling is about to end an instance. ignore counts it; taint keeps new pods away; "
                "cordon makes the node unschedulable too; drain leaves load balancers and evicts as well. A "
                "label ferryman.dev/on-… of a Node or a tag of its group says otherwise there"},
    SettingRow{.name = "on-spot-interruption",
               .environment = "FERRYMAN_ON_SPOT_INTERRUPTION",
               .yaml = "events.onSpotInterruption",
               .type = choice,
               .default_text = "drain",
               .choices = "ignore taint cordon drain",
               .group = "Events",
               .help = "when EC2 takes a spot instance back"},
    SettingRow{.name = "on-rebalance-recommendation",
               .environment = "FERRYMAN_ON_REBALANCE_RECOMMENDATION",
               .yaml = "events.onRebalanceRecommendation",
               .type = choice,
               .default_text = "ignore",
               .choices = "ignore taint cordon drain",
               .group = "Events",
               .help = "when a spot instance is likelier to be taken back than others; it may never be"},
    SettingRow{.name = "on-scheduled-change",
               .environment = "FERRYMAN_ON_SCHEDULED_CHANGE",
               .yaml = "events.onScheduledChange",
               .type = choice,
               .default_text = "drain",
               .choices = "ignore taint cordon drain",
               .group = "Events",
               .help = "when AWS Health tells of a retirement, a reboot or a stop; see lead-time"},
    SettingRow{.name = "on-state-change",
               .environment = "FERRYMAN_ON_STATE_CHANGE",
               .yaml = "events.onStateChange",
               .type = choice,
               .default_text = "drain",
               .choices = "ignore taint cordon drain",
               .group = "Events",
               .help = "when an instance is stopping, stopped, shutting down or terminated"},
    SettingRow{.name = "on-capacity-reservation-interruption",
               .environment = "FERRYMAN_ON_CAPACITY_RESERVATION_INTERRUPTION",
               .yaml = "events.onCapacityReservationInterruption",
               .type = choice,
               .default_text = "drain",
               .choices = "ignore taint cordon drain",
               .group = "Events",
               .help = "when the owner of an interruptible capacity reservation takes it back"},
    SettingRow{.name = "on-instance-status",
               .environment = "FERRYMAN_ON_INSTANCE_STATUS",
               .yaml = "events.onInstanceStatus",
               .type = choice,
               .default_text = "ignore",
               .choices = "ignore taint cordon drain",
               .group = "Events",
               .help = "when DescribeInstanceStatus shows a planned event; see poll-instance-status"},
    SettingRow{
        .name = "on-asg-launch",
        .environment = "FERRYMAN_ON_ASG_LAUNCH",
        .yaml = "events.onAsgLaunch",
        .type = choice,
        .default_text = "complete",
        .choices = "complete ignore",
        .group = "Events",
        .help =
            "when Auto Scaling holds a new instance: complete lets it go on as soon as its Node is ready"},
    SettingRow{
        .name = "look-for-waiting-hooks",
        .environment = "FERRYMAN_LOOK_FOR_WAITING_HOOKS",
        .yaml = "events.lookForWaitingHooks",
        .type = boolean,
        .default_text = "true",
        .group = "Events",
        .help = "Auto Scaling's messages can get lost: look every minute whether a hook of ours holds an "
                "instance of our groups and no message told of it. Ours is one that --hook names, or that a "
                "message has told of since the start"},
    SettingRow{.name = "actions-from-group-tags",
               .environment = "FERRYMAN_ACTIONS_FROM_GROUP_TAGS",
               .yaml = "events.actionsFromGroupTags",
               .type = boolean,
               .default_text = "false",
               .group = "Events",
               .help =
                   "tags ferryman.dev/on-… of an Auto Scaling group name actions too, as labels of a Node "
                   "do: a few more calls to EC2 and Auto Scaling"},
    SettingRow{.name = "launch-at-limit",
               .environment = "FERRYMAN_LAUNCH_AT_LIMIT",
               .yaml = "events.launchAtLimit",
               .type = choice,
               .default_text = "leave",
               .choices = "continue abandon leave",
               .group = "Events",
               .help = "what is said when a launch hook's time is over and no Node is ready: continue, "
                       "abandon, or leave it to the hook's own default result"},
    SettingRow{.name = "missing-node-limit",
               .environment = "FERRYMAN_MISSING_NODE_LIMIT",
               .yaml = "events.missingNodeLimit",
               .type = duration,
               .default_text = "15m",
               .least = 0,
               .most = 172800,
               .group = "Events",
               .help = "how long the Node of an ending instance of ours is waited for"},
    SettingRow{.name = "missing-node-at-limit",
               .environment = "FERRYMAN_MISSING_NODE_AT_LIMIT",
               .yaml = "events.missingNodeAtLimit",
               .type = choice,
               .default_text = "continue",
               .choices = "continue abandon leave",
               .group = "Events",
               .help = "what is said to the hook when it did not come: continue, abandon, or leave it to the "
                       "hook's own default result"},
    SettingRow{.name = "lead-time",
               .environment = "FERRYMAN_LEAD_TIME",
               .yaml = "events.leadTimes",
               .type = list,
               .group = "Events",
               .help =
                   "how long before a planned change its node is emptied, as CODE=DURATION, CODE=now or "
                   "CODE=ignore; CODE is the event code of AWS Health or EC2, a glob. These come before the "
                   "built-in ones: retirements and stops now, reboots 10m, network and power ignored"},
    SettingRow{.name = "poll-instance-status",
               .environment = "FERRYMAN_POLL_INSTANCE_STATUS",
               .yaml = "events.pollInstanceStatus",
               .type = duration,
               .default_text = "0s",
               .least = 0,
               .most = 86400,
               .group = "Events",
               .help = "time between questions to EC2 for planned events of all nodes, for accounts whose "
                       "AWS Health events do not arrive; 0: never"},
    SettingRow{.name = "voluntary-share",
               .environment = "FERRYMAN_VOLUNTARY_SHARE",
               .yaml = "voluntary.share",
               .type = integer,
               .default_text = "10",
               .unit = "%",
               .least = 1,
               .most = 100,
               .group = "Voluntary ends",
               .help = "share of a group's nodes, and of the cluster's, that may leave at a time for events "
                       "that may come to nothing; at least one node may"},
    SettingRow{.name = "voluntary-min-age",
               .environment = "FERRYMAN_VOLUNTARY_MIN_AGE",
               .yaml = "voluntary.minAge",
               .type = duration,
               .default_text = "10m",
               .least = 0,
               .most = 172800,
               .group = "Voluntary ends",
               .help = "younger nodes wait until they are that old"},
    SettingRow{.name = "voluntary-undo-after",
               .environment = "FERRYMAN_VOLUNTARY_UNDO_AFTER",
               .yaml = "voluntary.undoAfter",
               .type = duration,
               .default_text = "30m",
               .least = 60,
               .most = 172800,
               .group = "Voluntary ends",
               .help = "when nothing stronger followed such an event for so long (a scheduled change: when "
                       "its window is over), our marks are taken off the node"},
    SettingRow{.name = "group-label",
               .environment = "FERRYMAN_GROUP_LABEL",
               .yaml = "voluntary.groupLabels",
               .type = list,
               .default_text = "eks.amazonaws.com/nodegroup,alpha.eksctl.io/nodegroup-name,kops.k8s.io/"
                               "instancegroup,karpenter.sh/nodepool",
               .nothing = "none",
               .group = "Voluntary ends",
               .help = "labels of a Node that name its group; the first that it has counts"},
};

}  // namespace

SettingsTable events() {
  return rows;
}

}  // namespace ferryman::app::settings_rows
