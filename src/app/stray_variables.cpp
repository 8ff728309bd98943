// SPDX-License-Identifier: Apache-2.0
#include "app/stray_variables.h"

#include <algorithm>
#include <array>

#include "app/nearest.h"

namespace ferryman::app {

namespace {

constexpr std::string_view prefix = "FERRYMAN_";

// Of the sandbox and of this project's tools.
constexpr std::array<std::string_view, 3> others{"FERRYMAN_SANDBOX_CONTROL", "FERRYMAN_SKIP_SETUP",
                                                 "FERRYMAN_LINT_BASE"};

/// FERRYMAN_SERVICE_HOST, FERRYMAN_PORT_8080_TCP, FERRYMAN_METRICS_SERVICE_PORT_HTTP: no setting has such a
/// part.
bool is_of_a_service(std::string_view name) {
  const std::string parts = std::string(name) + "_";
  return parts.find("_SERVICE_") != std::string::npos || parts.find("_PORT_") != std::string::npos;
}

}  // namespace

std::vector<StrayVariable> stray_variables(SettingsTable table, const Environment& environment) {
  std::vector<std::string_view> known;
  for (const SettingRow& row : table) known.push_back(row.environment);
  const auto is_known = [&](std::string_view name) {
    return std::find(known.begin(), known.end(), name) != known.end() ||
           std::find(others.begin(), others.end(), name) != others.end();
  };
  std::vector<StrayVariable> strays;
  for (const auto& [name, value] : environment.all()) {
    if (!name.starts_with(prefix) || is_known(name) || is_of_a_service(name)) continue;
    StrayVariable stray;
    stray.name = name;
    stray.meant = nearest(name, known);
    strays.push_back(std::move(stray));
  }
  return strays;
}

}  // namespace ferryman::app
