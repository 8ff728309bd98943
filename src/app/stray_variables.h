// SPDX-License-Identifier: Apache-2.0
// Variables that look like settings of ours and are none: a mistyped name would go unnoticed.
#pragma once

#include <string>
#include <vector>

#include "app/settings_table.h"
#include "base/environment.h"

namespace ferryman::app {

class StrayVariable {
 public:
  StrayVariable() = default;

  std::string name;   // "FERRYMAN_QUEU_URL"
  std::string meant;  // the nearest that exists; empty: none is near
};

/// Not those that Kubernetes makes of Services whose names begin with "ferryman".
std::vector<StrayVariable> stray_variables(SettingsTable table, const Environment& environment);

}  // namespace ferryman::app
