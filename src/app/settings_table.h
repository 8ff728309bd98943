// SPDX-License-Identifier: Apache-2.0
// The settings tables: every flag, variable and YAML key of every command. One resolver reads them, and help,
// docs/settings.md, the JSON schema and the chart's values are printed from them. Nothing else names a
// setting.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ferryman::app {

enum class SettingType : std::uint8_t { text, boolean, integer, duration, list, address, choice };

std::string_view name_of(SettingType type);

struct SettingRow {
  std::string_view name;              // "queue-url": the flag is --queue-url
  std::string_view environment = {};  // "FERRYMAN_QUEUE_URL"
  std::string_view shared_environment =
      {};                      // variables that SDKs and kubectl read too, by blanks, best first
  std::string_view yaml = {};  // "queue.url"; empty: not in the file
  SettingType type = SettingType::text;
  std::string_view default_text = {};
  std::string_view unit = {};  // of an integer, such as "%"
  std::int64_t least = 0;      // integers in their unit, durations in seconds; least = most: any value
  std::int64_t most = 0;
  std::string_view choices = {};  // of a choice, by blanks
  std::string_view nothing = {};  // of a list: the word for an empty one
  bool operand = false;           // a word without a flag is its value too
  std::string_view group = {};
  std::string_view help = {};
  // The names in the systems that Ferryman replaces; they are filled when the profiles come.
  std::string_view nth = {};
  std::string_view lifecycle_manager = {};
};

using SettingsTable = std::span<const SettingRow>;

SettingsTable serve_table();
SettingsTable sandbox_table();
/// The demo's own rows, those that it hands to its daemon, then the sandbox's.
SettingsTable demo_table();
/// The daemon's settings that a demo can vary.
std::span<const std::string_view> demo_daemon_settings();
/// Explain's own rows, then serve's, so that a daemon's settings can be given as they stand.
SettingsTable explain_table();
SettingsTable settings_command_table();
SettingsTable version_table();

/// Null when the table has no such setting.
const SettingRow* find_setting(SettingsTable table, std::string_view name);

}  // namespace ferryman::app
