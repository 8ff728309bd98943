// SPDX-License-Identifier: Apache-2.0
// The rows of serve's settings table, a file for each part. A Service named "ferryman" makes Kubernetes put
// FERRYMAN_PORT… and FERRYMAN_SERVICE_… into every pod of its namespace: no variable here may start like
// that, and unknown FERRYMAN_… variables are no error.
#pragma once

#include "app/settings_table.h"

namespace ferryman::app::settings_rows {

SettingsTable queue();         // general and the queue
SettingsTable cloud();         // the ways to AWS and Kubernetes
SettingsTable ownership();     // whose an instance is
SettingsTable events();        // what is done about each event
SettingsTable termination();   // one termination
SettingsTable balancers();     // how a node leaves its load balancers
SettingsTable drained_pods();  // which pods a drain asks to go
SettingsTable drain();         // how, and when
SettingsTable after_drain();   // and what follows
SettingsTable process();       // the process itself

}  // namespace ferryman::app::settings_rows
