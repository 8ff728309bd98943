// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "app/settings_rows/settings_rows.h"

namespace ferryman::app::settings_rows {

namespace {

using enum SettingType;

constexpr std::array rows{
    SettingRow{
        .name = "hook",
        .environment = "FERRYMAN_HOOK",
        .yaml = "termination.hooks",
        .type = list,
        .default_text = "*,!Launch-LC-Hook,!Terminate-LC-Hook",
        .group = "Termination",
        .help = "names of the lifecycle hooks that are ours to keep alive and complete, as globs; another's "
                "hook still starts the drain"},
    SettingRow{
        .name = "max-termination-time",
        .environment = "FERRYMAN_MAX_TERMINATION_TIME",
        .yaml = "termination.maxTime",
        .type = duration,
        .default_text = "1h",
        .least = 30,
        .most = 172'800,
        .group = "Termination",
        .help = "longest time for one instance, from its event being taken over to the completed hook"},
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
};

}  // namespace

SettingsTable termination() {
  return rows;
}

}  // namespace ferryman::app::settings_rows
