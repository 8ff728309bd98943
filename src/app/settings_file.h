// SPDX-License-Identifier: Apache-2.0
// The YAML settings file: bytes to raw values with their lines. Unknown and repeated keys are problems.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/settings_table.h"

namespace ferryman::app {

class FileSetting {
 public:
  FileSetting() = default;

  const SettingRow* row = nullptr;
  std::string text;  // a list's entries are joined by commas
  int line = 0;
};

class SettingsFile {
 public:
  SettingsFile() = default;

  std::vector<FileSetting> settings;
  std::vector<std::string> problems;  // each starts with "file:line: "
};

/// Never fails as a whole: what cannot be read is among the problems.
SettingsFile parse_settings_file(SettingsTable table, const std::string& path, const std::string& text);

}  // namespace ferryman::app
