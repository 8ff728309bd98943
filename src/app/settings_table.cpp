// SPDX-License-Identifier: Apache-2.0
#include "app/settings_table.h"

#include <algorithm>
#include <vector>

#include "app/settings_rows/settings_rows.h"

namespace ferryman::app {

std::string_view name_of(SettingType type) {
  using enum SettingType;
  switch (type) {
    case text:
      return "text";
    case boolean:
      return "true or false";
    case integer:
      return "integer";
    case duration:
      return "duration";
    case list:
      return "list";
    case address:
      return "address:port";
    case choice:
      return "one of";
  }
  return "text";
}

SettingsTable serve_table() {
  static const std::vector<SettingRow> rows = [] {
    std::vector<SettingRow> all;
    for (const SettingsTable part :
         {settings_rows::queue(), settings_rows::cloud(), settings_rows::ownership(), settings_rows::events(),
          settings_rows::termination(), settings_rows::balancers(), settings_rows::drained_pods(),
          settings_rows::drain(), settings_rows::after_drain(), settings_rows::process()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return rows;
}

const SettingRow* find_setting(SettingsTable table, std::string_view name) {
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const SettingRow& r) { return r.name == name; });
  return row == table.end() ? nullptr : &*row;
}

}  // namespace ferryman::app
