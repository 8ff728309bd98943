// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/nearest.h"
#include "app/setting_value.h"

namespace ferryman::app {

namespace {

struct Flag {
  std::string name;
  std::optional<std::string> value;
};

// Empty for what is no flag; "-" alone is none, as in Go.
std::optional<Flag> as_flag(const std::string& argument) {
  if (argument.size() < 2 || argument[0] != '-') return std::nullopt;
  const std::string body = argument.substr(argument[1] == '-' ? 2 : 1);
  if (body.empty()) return std::nullopt;
  const auto equals = body.find('=');
  if (equals == std::string::npos) return Flag{body, std::nullopt};
  return Flag{body.substr(0, equals), body.substr(equals + 1)};
}

std::string unknown_flag(SettingsTable table, const std::string& name) {
  std::vector<std::string_view> known{"help"};
  for (const SettingRow& row : table) known.push_back(row.name);
  const std::string_view meant = nearest(name, known);
  return fmt::format(
      "unknown flag {}{}", quoted("--" + name),
      meant.empty() ? std::string("; --help lists all flags") : fmt::format("; did you mean --{}?", meant));
}

class Splitter {
 public:
  Splitter(SettingsTable table, const std::vector<std::string>& arguments)
      : table_(table), arguments_(arguments) {}

  CommandLine split() {
    while (next_ < arguments_.size()) {
      const std::string& argument = arguments_[next_++];
      if (argument == "--") {
        while (next_ < arguments_.size()) positional(arguments_[next_++]);
      } else if (const auto flag = as_flag(argument)) {
        take(*flag);
      } else {
        positional(argument);
      }
    }
    return std::move(out_);
  }

 private:
  void take(const Flag& flag) {
    bare_boolean_ = nullptr;
    const SettingRow* row = find_setting(table_, flag.name);
    if (row == nullptr) {
      if (flag.name == "h" || flag.name == "help") {
        out_.help = true;
      } else {
        out_.problems.push_back(unknown_flag(table_, flag.name));
      }
      return;
    }
    FlagSetting setting;
    setting.row = row;
    if (flag.value) {
      setting.text = *flag.value;
    } else if (row->type == SettingType::boolean) {
      setting.text = "true";
      bare_boolean_ = row;
    } else if (!value_follows()) {
      out_.problems.push_back(fmt::format("flag --{0} needs a value; write --{0}=VALUE", row->name));
      return;
    } else {
      setting.text = arguments_[next_++];
    }
    out_.flags.push_back(std::move(setting));
  }

  // Go takes whatever follows. A flag that we know is a forgotten value; "-1" and the like are values.
  [[nodiscard]] bool value_follows() const {
    if (next_ == arguments_.size()) return false;
    const auto flag = as_flag(arguments_[next_]);
    return !flag || find_setting(table_, flag->name) == nullptr;
  }

  void positional(const std::string& argument) {
    if (take_operand(argument)) return;
    std::string text = fmt::format("unexpected argument {}", quoted(argument));
    if (bare_boolean_ != nullptr) {
      const bool fits = parse_setting(*bare_boolean_, argument).ok();
      text += fits ? fmt::format("; write --{}={}", bare_boolean_->name, argument)
                   : fmt::format("; --{0} is true or false: write --{0}=false, or --{0} alone for true",
                                 bare_boolean_->name);
    }
    bare_boolean_ = nullptr;
    out_.problems.push_back(std::move(text));
  }

  /// A word after a bare boolean that would fit it is no operand: it was meant for the flag.
  bool take_operand(const std::string& argument) {
    if (operand_taken_ || (bare_boolean_ != nullptr && parse_setting(*bare_boolean_, argument).ok()))
      return false;
    const auto row =
        std::find_if(table_.begin(), table_.end(), [](const SettingRow& r) { return r.operand; });
    if (row == table_.end()) return false;
    FlagSetting setting;
    setting.row = &*row;
    setting.text = argument;
    out_.flags.push_back(std::move(setting));
    operand_taken_ = true;
    bare_boolean_ = nullptr;
    return true;
  }

  SettingsTable table_;
  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  bool operand_taken_ = false;
  const SettingRow* bare_boolean_ = nullptr;  // the flag just before, when it stood alone
  CommandLine out_;
};

}  // namespace

CommandLine split_command_line(SettingsTable table, const std::vector<std::string>& arguments) {
  return Splitter(table, arguments).split();
}

}  // namespace ferryman::app
