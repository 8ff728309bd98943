// SPDX-License-Identifier: Apache-2.0
#include "app/settings_resolver.h"

#include <fmt/format.h>

#include <stdexcept>

#include "app/command_line.h"
#include "app/nearest.h"
#include "app/settings_file.h"

namespace ferryman::app {

namespace {

class Resolver {
 public:
  Resolver(SettingsTable table, Resolution& out) : table_(table), out_(out) {
    out_.values = default_settings(table);
  }

  // From the weakest source to the strongest.
  void file(const std::string& path, Files& files) {
    const auto text = files.read(path);
    if (!text) {
      problem(fmt::format("{} cannot be read: {}; name one that can be read", out_.values.told("config"),
                          text.error().text));
      return;
    }
    const SettingsFile parsed = parse_settings_file(table_, path, *text);
    for (const std::string& text_of_problem : parsed.problems) problem(text_of_problem);
    for (const FileSetting& setting : parsed.settings) {
      apply(*setting.row, setting.text, fmt::format("{}:{}", path, setting.line));
    }
  }

  void environment(const SettingRow& row, const Environment& environment) {
    std::vector<std::string_view> names = words(row.shared_environment);
    names.insert(names.begin(), row.environment);
    for (const std::string_view name : names) {
      const std::string text = environment.get(name);
      if (text.empty()) continue;
      apply(row, text, fmt::format("variable {}", name));
      return;
    }
  }

  void flags(const CommandLine& line) {
    std::map<const SettingRow*, std::string> last;
    for (const FlagSetting& flag : line.flags) {
      std::string& text = last[flag.row];
      // A list that is given again grows; every other flag is replaced.
      text = flag.row->type == SettingType::list && !text.empty() ? text + "," + flag.text : flag.text;
    }
    for (const SettingRow& row : table_) {
      if (const auto flag = last.find(&row); flag != last.end()) {
        apply(row, flag->second, fmt::format("flag --{}", row.name));
      }
    }
  }

  void problem(std::string text) { out_.problems.push_back(std::move(text)); }

 private:
  void apply(const SettingRow& row, std::string_view text, const std::string& source) {
    auto value = parse_setting(row, text);
    if (!value) {
      problem(fmt::format("setting {}: {} from {} {}", row.name, quoted(text), source, value.error().text));
      return;
    }
    ResolvedSetting setting;
    setting.value = std::move(*value);
    setting.text = text;
    setting.source = source;
    setting.given = true;
    out_.values.set(row.name, std::move(setting));
  }

  SettingsTable table_;
  Resolution& out_;
};

}  // namespace

Resolution resolve_settings(SettingsTable table, const std::vector<std::string>& arguments,
                            const Environment& environment, Files& files) {
  Resolution out;
  const CommandLine line = split_command_line(table, arguments);
  out.help = line.help;
  Resolver resolver(table, out);
  for (const std::string& problem : line.problems) resolver.problem(problem);

  // Which file to read must be known before the file is read.
  if (const SettingRow* config = find_setting(table, "config")) {
    resolver.environment(*config, environment);
    CommandLine only_config;
    for (const FlagSetting& flag : line.flags) {
      if (flag.row == config) only_config.flags.push_back(flag);
    }
    resolver.flags(only_config);
    if (const std::string path = out.values.text("config"); !path.empty()) resolver.file(path, files);
  }
  for (const SettingRow& row : table) {
    if (row.name != "config") resolver.environment(row, environment);
  }
  resolver.flags(line);
  return out;
}

ResolvedSettings default_settings(SettingsTable table) {
  ResolvedSettings out;
  for (const SettingRow& row : table) {
    auto value = parse_setting(row, row.default_text);
    if (!value) throw std::logic_error(fmt::format("default of {} {}", row.name, value.error().text));
    ResolvedSetting setting;
    setting.value = std::move(*value);
    setting.text = row.default_text;
    setting.source = "default";
    out.set(row.name, std::move(setting));
  }
  return out;
}

const ResolvedSetting& ResolvedSettings::at(std::string_view name) const {
  const auto found = settings_.find(name);
  if (found == settings_.end()) throw std::logic_error(fmt::format("no setting {}", name));
  return found->second;
}

std::string ResolvedSettings::told(std::string_view name) const {
  return fmt::format("setting {}: {} from {}", name, quoted(at(name).text), at(name).source);
}

template <class T>
const T& ResolvedSettings::value(std::string_view name) const {
  const T* value = std::get_if<T>(&at(name).value);
  if (value == nullptr) throw std::logic_error(fmt::format("setting {} has another type", name));
  return *value;
}

const std::string& ResolvedSettings::text(std::string_view name) const {
  return value<std::string>(name);
}
bool ResolvedSettings::boolean(std::string_view name) const {
  return value<bool>(name);
}
std::int64_t ResolvedSettings::integer(std::string_view name) const {
  return value<std::int64_t>(name);
}
Duration ResolvedSettings::duration(std::string_view name) const {
  return value<Duration>(name);
}
const std::vector<std::string>& ResolvedSettings::list(std::string_view name) const {
  return value<std::vector<std::string>>(name);
}
const Address& ResolvedSettings::address(std::string_view name) const {
  return value<Address>(name);
}

}  // namespace ferryman::app
