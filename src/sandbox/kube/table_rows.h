// SPDX-License-Identifier: Apache-2.0
// The columns of each resource's table and the cells of its rows, as kubectl prints them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/time.h"

namespace ferryman::sandbox {

struct TableColumn {
  std::string_view name;
  std::string_view type;
  int priority;           // above 0: only with -o wide
  std::string_view cell;  // what stands in it; table_rows.cpp has the forms
};

/// Of resources without columns of their own: name and age.
std::span<const TableColumn> columns_of(std::string_view resource);

json::array cells_of(std::string_view resource, const json::value& object, WallTime now);

/// As kubectl prints ages: "45s", "5m10s", "3h12m", "2d4h", "400d".
std::string age_text(Duration age);

}  // namespace ferryman::sandbox
