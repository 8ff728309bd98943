// SPDX-License-Identifier: Apache-2.0
// The command line with Go's habits: -flag=value, --flag value, --flag=value, a bare boolean, "--" ends the
// flags. Why not CLI11: docs/adr/0010-command-line.md.
#pragma once

#include <string>
#include <vector>

#include "app/settings_table.h"

namespace ferryman::app {

class FlagSetting {
 public:
  FlagSetting() = default;

  const SettingRow* row = nullptr;
  std::string text;
};

class CommandLine {
 public:
  CommandLine() = default;

  std::vector<FlagSetting> flags;  // in order; the same flag may come again
  std::vector<std::string> problems;
  bool help = false;  // -h, -help or --help
};

CommandLine split_command_line(SettingsTable table, const std::vector<std::string>& arguments);

}  // namespace ferryman::app
