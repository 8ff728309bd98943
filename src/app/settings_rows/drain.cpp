// SPDX-License-Identifier: Apache-2.0
// Names that kubectl drain has mean what they mean there; the defaults differ in that nothing refuses.
#include <array>

#include "app/settings_rows/settings_rows.h"

namespace ferryman::app::settings_rows {

namespace {

using enum SettingType;

constexpr std::array which{
    SettingRow{.name = "ignore-daemonsets",
               .environment = "FERRYMAN_IGNORE_DAEMONSETS",
               .yaml = "drain.ignoreDaemonsets",
               .type = boolean,
               .default_text = "true",
               .group = "Drain",
               .help = "leave pods of DaemonSets where they are; false: name them in the report as refused"},
    SettingRow{.name = "delete-emptydir-data",
               .environment = "FERRYMAN_DELETE_EMPTYDIR_DATA",
               .yaml = "drain.deleteEmptydirData",
               .type = boolean,
               .default_text = "true",
               .group = "Drain",
               .help = "evict pods with an emptyDir too, whose data ends with them; false: refuse them"},
    SettingRow{.name = "force",
               .environment = "FERRYMAN_FORCE",
               .yaml = "drain.force",
               .type = boolean,
               .default_text = "true",
               .group = "Drain",
               .help = "evict pods without a controller too, which nothing puts back; false: refuse them"},
    SettingRow{.name = "pod-selector",
               .environment = "FERRYMAN_POD_SELECTOR",
               .yaml = "drain.podSelector",
               .group = "Drain",
               .help = "only pods with these labels are drained, such as \"app=web,tier in (a,b),!canary\"; "
                       "empty: all"},
    SettingRow{.name = "delete-daemonset-pods",
               .environment = "FERRYMAN_DELETE_DAEMONSET_PODS",
               .yaml = "drain.deleteDaemonsetPods",
               .group = "Drain",
               .help = "label selector; pods of DaemonSets that it matches are deleted once all others are "
                       "gone; empty: none"},
    SettingRow{
        .name = "protected-pods",
        .environment = "FERRYMAN_PROTECTED_PODS",
        .yaml = "drain.protectedPods",
        .group = "Drain",
        .help = "label selector; pods that it matches stay for an end that may come to nothing, as with the "
                "annotation ferryman.dev/forced-ends-only; empty: none"},
    SettingRow{
        .name = "heed-waits",
        .environment = "FERRYMAN_HEED_WAITS",
        .yaml = "drain.heedWaits",
        .type = list,
        .default_text = "rebalance-recommendation,scheduled-change,instance-status,asg-terminate",
        .nothing = "none",
        .group = "Drain",
        .help = "kinds of events for which a pod's annotation ferryman.dev/wait-up-to counts, or none"},
    SettingRow{.name = "skip-wait-for-delete-timeout",
               .environment = "FERRYMAN_SKIP_WAIT_FOR_DELETE_TIMEOUT",
               .yaml = "drain.skipWaitForDeleteTimeout",
               .type = duration,
               .default_text = "0s",
               .least = 0,
               .most = 86'400,
               .group = "Drain",
               .help = "a pod that should have ended longer ago than this is not waited for; 0: it is"},
};

constexpr std::array how{
    SettingRow{.name = "grace-period",
               .environment = "FERRYMAN_GRACE_PERIOD",
               .yaml = "drain.gracePeriod",
               .type = integer,
               .default_text = "-1",
               .unit = "s",
               .least = -1,
               .most = 86'400,
               .group = "Drain",
               .help = "time that each pod is given to end; -1: its own"},
    SettingRow{.name = "disable-eviction",
               .environment = "FERRYMAN_DISABLE_EVICTION",
               .yaml = "drain.disableEviction",
               .type = boolean,
               .default_text = "false",
               .group = "Drain",
               .help = "delete pods instead of evicting them, so that no disruption budget is asked"},
    SettingRow{.name = "delete-unready-after",
               .environment = "FERRYMAN_DELETE_UNREADY_AFTER",
               .yaml = "drain.deleteUnreadyAfter",
               .type = duration,
               .default_text = "0s",
               .least = 0,
               .most = 86'400,
               .group = "Drain",
               .help =
                   "a pod that a budget protects though it has not been Ready for so long is deleted; 0: it "
                   "is not"},
    SettingRow{.name = "wave-label",
               .environment = "FERRYMAN_WAVE_LABEL",
               .yaml = "drain.waveLabel",
               .default_text = "ferryman.dev/drain-wave",
               .group = "Drain",
               .help = "label of a pod whose integer says when it goes: a wave begins when those with lower "
                       "numbers are gone"},
    SettingRow{.name = "wave-priorities",
               .environment = "FERRYMAN_WAVE_PRIORITIES",
               .yaml = "drain.wavePriorities",
               .type = list,
               .default_text = "2000000000",
               .nothing = "none",
               .group = "Drain",
               .help = "priorities of pods at which a further wave begins, for pods without the label; by "
                       "default system pods go after all others"},
    SettingRow{.name = "delete-phase-at",
               .environment = "FERRYMAN_DELETE_PHASE_AT",
               .yaml = "drain.deletePhaseAt",
               .type = integer,
               .default_text = "80",
               .unit = "%",
               .least = 1,
               .most = 100,
               .group = "Drain",
               .help = "share of the time after which pods that budgets still protect are deleted"},
    SettingRow{.name = "force-phase-at",
               .environment = "FERRYMAN_FORCE_PHASE_AT",
               .yaml = "drain.forcePhaseAt",
               .type = integer,
               .default_text = "0",
               .unit = "%",
               .least = 0,
               .most = 100,
               .group = "Drain",
               .help = "share of the time after which pods that still terminate are ended at once; 0: in the "
                       "last tenth, 30 s at most"},
    SettingRow{.name = "force-grace-zero",
               .environment = "FERRYMAN_FORCE_GRACE_ZERO",
               .yaml = "drain.forceGraceZero",
               .type = boolean,
               .default_text = "false",
               .group = "Drain",
               .help = "end them with grace 0 instead of 1: the pod leaves the API before its kubelet has "
                       "ended it"},
};

constexpr std::array afterwards{
    SettingRow{.name = "volume-wait",
               .environment = "FERRYMAN_VOLUME_WAIT",
               .yaml = "drain.volumeWait",
               .type = duration,
               .default_text = "1m",
               .least = 0,
               .most = 3'600,
               .group = "Drain",
               .help = "how long a lifecycle hook waits for the volumes of evicted pods to be detached"},
    SettingRow{.name = "no-execute-after-drain",
               .environment = "FERRYMAN_NO_EXECUTE_AFTER_DRAIN",
               .yaml = "drain.noExecuteAfterDrain",
               .type = boolean,
               .default_text = "false",
               .group = "Drain",
               .help = "taint the drained node NoExecute, which ends what does not tolerate it"},
    SettingRow{.name = "out-of-service-taint",
               .environment = "FERRYMAN_OUT_OF_SERVICE_TAINT",
               .yaml = "drain.outOfServiceTaint",
               .type = boolean,
               .default_text = "false",
               .group = "Drain",
               .help =
                   "taint the node node.kubernetes.io/out-of-service once EC2 says that the instance is off: "
                   "Kubernetes then removes its pods and detaches its volumes"},
    SettingRow{.name = "delete-node",
               .environment = "FERRYMAN_DELETE_NODE",
               .yaml = "drain.deleteNode",
               .type = boolean,
               .default_text = "false",
               .group = "Drain",
               .help =
                   "delete the Node object, and what is left of its pods, once EC2 says that the instance "
                   "is gone"},
    SettingRow{
        .name = "undo-failed-drain",
        .environment = "FERRYMAN_UNDO_FAILED_DRAIN",
        .yaml = "drain.undoFailedDrain",
        .type = boolean,
        .default_text = "false",
        .group = "Drain",
        .help =
            "make the node usable again when a drain for an end that may come to nothing did not get done "
            "in time"},
};

}  // namespace

SettingsTable drained_pods() {
  return which;
}

SettingsTable drain() {
  return how;
}

SettingsTable after_drain() {
  return afterwards;
}

}  // namespace ferryman::app::settings_rows
