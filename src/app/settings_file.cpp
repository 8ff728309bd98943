// SPDX-License-Identifier: Apache-2.0
#include "app/settings_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <set>

#include "app/nearest.h"

namespace ferryman::app {

namespace {

// yaml-cpp keeps a map as a list of pairs and counts lines from 0.
class Walk {
 public:
  Walk(SettingsTable table, const std::string& path, SettingsFile& out)
      : table_(table), path_(path), out_(out) {}

  void map(const YAML::Node& node, const std::string& prefix) {
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) {
        problem(entry.first, "a key must be a word");
        continue;
      }
      key(entry.first, prefix + entry.first.Scalar(), entry.second);
    }
  }

 private:
  void key(const YAML::Node& at, const std::string& name, const YAML::Node& value) {
    if (!seen_.insert(name).second) {
      problem(at, fmt::format("key {} is given twice; remove one", quoted(name)));
      return;
    }
    if (const SettingRow* row = row_of(name)) {
      setting(*row, value.IsNull() ? at : value, value);
    } else if (is_section(name)) {
      section(at, name, value);
    } else {
      unknown(at, name);
    }
  }

  void section(const YAML::Node& at, const std::string& name, const YAML::Node& value) {
    if (value.IsMap()) {
      map(value, name + ".");
    } else if (!value.IsNull()) {
      problem(at, fmt::format("{} is a section; write its keys below it, indented", quoted(name)));
    }
  }

  // A key without a value is as good as no key: charts write such lines for empty values.
  void setting(const SettingRow& row, const YAML::Node& at, const YAML::Node& value) {
    FileSetting found;
    found.row = &row;
    found.line = at.Mark().line + 1;
    if (value.IsNull()) return;
    if (value.IsScalar()) {
      found.text = value.Scalar();
    } else if (value.IsSequence() && row.type == SettingType::list) {
      if (!items(row, value, found.text)) return;
    } else {
      problem(at, fmt::format("setting {} must be a {}, not a {}", row.name,
                              row.type == SettingType::list ? "list" : "single value",
                              value.IsMap() ? "section" : "list"));
      return;
    }
    out_.settings.push_back(std::move(found));
  }

  bool items(const SettingRow& row, const YAML::Node& list, std::string& text) {
    for (const YAML::Node& item : list) {
      if (!item.IsScalar()) {
        problem(item, fmt::format("setting {}: an entry of the list must be a single value", row.name));
        return false;
      }
      text += text.empty() ? "" : ",";
      text += item.Scalar();
    }
    return true;
  }

  void unknown(const YAML::Node& at, const std::string& name) {
    std::vector<std::string_view> known;
    for (const SettingRow& row : table_) {
      if (!row.yaml.empty()) known.push_back(row.yaml);
      if (row.yaml.find('.') != std::string_view::npos)
        known.push_back(row.yaml.substr(0, row.yaml.find('.')));
    }
    const std::string_view meant = nearest(name, known);
    problem(at, fmt::format("unknown key {}{}", quoted(name),
                            meant.empty() ? "; \"ferryman settings\" lists all keys"
                                          : fmt::format("; did you mean {}?", meant)));
  }

  [[nodiscard]] const SettingRow* row_of(std::string_view name) const {
    for (const SettingRow& row : table_) {
      if (row.yaml == name) return &row;
    }
    return nullptr;
  }

  [[nodiscard]] bool is_section(const std::string& name) const {
    for (const SettingRow& row : table_) {
      if (row.yaml.starts_with(name + ".")) return true;
    }
    return false;
  }

  void problem(const YAML::Node& at, const std::string& text) {
    out_.problems.push_back(fmt::format("{}:{}: {}", path_, at.Mark().line + 1, text));
  }

  SettingsTable table_;
  const std::string& path_;
  SettingsFile& out_;
  std::set<std::string> seen_;
};

}  // namespace

SettingsFile parse_settings_file(SettingsTable table, const std::string& path, const std::string& text) {
  SettingsFile out;
  try {
    const YAML::Node root = YAML::Load(text);
    if (root.IsMap()) {
      Walk(table, path, out).map(root, "");
    } else if (!root.IsNull()) {
      out.problems.push_back(
          fmt::format("{}:1: not a map of settings; write keys like queue: {{url: …}}", path));
    }
  } catch (const YAML::Exception& error) {
    out.problems.push_back(fmt::format("{}:{}: not YAML: {}", path, error.mark.line + 1, error.msg));
  }
  return out;
}

}  // namespace ferryman::app
