// SPDX-License-Identifier: Apache-2.0
// Merges flags, environment, YAML file and defaults, in this order, into typed values that know where they
// come from. All problems are reported at once; each names setting, source, value and cure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/setting_value.h"
#include "app/settings_table.h"
#include "base/environment.h"
#include "base/files.h"

namespace ferryman::app {

class ResolvedSetting {
 public:
  ResolvedSetting() = default;

  SettingValue value;
  std::string text;    // as it was written
  std::string source;  // "flag --region", "variable AWS_REGION", "ferryman.yaml:3" or "default"
  bool given = false;  // not the default
};

/// Look-ups by the names of the table; a name that is not in it, or another type, is a bug and throws
/// std::logic_error.
class ResolvedSettings {
 public:
  ResolvedSettings() = default;

  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] bool boolean(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] Duration duration(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& list(std::string_view name) const;
  [[nodiscard]] const Address& address(std::string_view name) const;
  [[nodiscard]] const std::string& source(std::string_view name) const { return at(name).source; }
  [[nodiscard]] const std::string& written(std::string_view name) const { return at(name).text; }
  /// 'setting report: "/nope/x" from flag --report': what a refusal begins with.
  [[nodiscard]] std::string told(std::string_view name) const;
  [[nodiscard]] bool given(std::string_view name) const { return at(name).given; }

  void set(std::string_view name, ResolvedSetting setting) {
    settings_[std::string(name)] = std::move(setting);
  }
  [[nodiscard]] const auto& all() const { return settings_; }

 private:
  [[nodiscard]] const ResolvedSetting& at(std::string_view name) const;
  template <class T>
  [[nodiscard]] const T& value(std::string_view name) const;

  std::map<std::string, ResolvedSetting, std::less<>> settings_;
};

class Resolution {
 public:
  Resolution() = default;

  ResolvedSettings values;  // complete even when there are problems: the wrong ones have their defaults
  std::vector<std::string> problems;  // empty: the settings can be used
  bool help = false;                  // the user asked for help; nothing else matters
};

Resolution resolve_settings(SettingsTable table, const std::vector<std::string>& arguments,
                            const Environment& environment, Files& files);

/// All defaults.
ResolvedSettings default_settings(SettingsTable table);

}  // namespace ferryman::app
