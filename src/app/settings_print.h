// SPDX-License-Identifier: Apache-2.0
// What is printed from the settings tables: help, docs/settings.md, the JSON schema of the YAML file, chart
// values.
#pragma once

#include <string>
#include <string_view>

#include "app/settings_table.h"

namespace ferryman::app {

/// The flags by group, for --help.
std::string help_of(SettingsTable table);

/// The whole of docs/settings.md.
std::string settings_markdown();

/// JSON Schema (draft 2020-12) of serve's YAML file.
std::string settings_schema();

/// Serve's YAML file with every default and its help, as values of a chart.
std::string settings_chart_values();

/// What may be written: "duration, 30s to 48h", "one of shared, exclusive".
std::string type_text(const SettingRow& row);

}  // namespace ferryman::app
