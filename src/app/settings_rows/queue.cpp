// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "app/settings_rows/settings_rows.h"

namespace ferryman::app::settings_rows {

namespace {

using enum SettingType;

constexpr std::array rows{
    SettingRow{.name = "config",
               .environment = "FERRYMAN_CONFIG",
               .group = "General",
               .help = "YAML file with settings; flags and variables win over it"},
    SettingRow{.name = "queue-url",
               .environment = "FERRYMAN_QUEUE_URL",
               .yaml = "queue.url",
               .group = "Queue",
               .help = "SQS queue that the lifecycle hooks and rules send to: its URL, its ARN or its name"},
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
               .default_text = "4",
               .least = 1,
               .most = 10,
               .group = "Queue",
               .help = "long polls that run side by side when the queue is full"},
    SettingRow{.name = "unparsable-after",
               .environment = "FERRYMAN_UNPARSABLE_AFTER",
               .yaml = "queue.unparsableAfter",
               .type = integer,
               .default_text = "3",
               .least = 1,
               .most = 1000,
               .group = "Queue",
               .help = "receives of a message that cannot be read, before it is disposed of"},
    SettingRow{.name = "unparsable",
               .environment = "FERRYMAN_UNPARSABLE",
               .yaml = "queue.unparsable",
               .type = choice,
               .default_text = "redrive",
               .choices = "redrive delete",
               .group = "Queue",
               .help = "what becomes of such a message: redrive leaves it to the queue's redrive policy or "
                       "retention; delete deletes it"},
    SettingRow{.name = "allow-redrive",
               .environment = "FERRYMAN_ALLOW_REDRIVE",
               .yaml = "queue.allowRedrive",
               .type = boolean,
               .default_text = "false",
               .group = "Queue",
               .help = "start although the shared queue's redrive policy is so tight that it can take "
                       "messages that were given back"},
};

}  // namespace

SettingsTable queue() {
  return rows;
}

}  // namespace ferryman::app::settings_rows
