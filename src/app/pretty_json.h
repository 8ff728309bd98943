// SPDX-License-Identifier: Apache-2.0
// JSON for people: objects indented, arrays on one line, numbers as one writes them (boost prints 0.002 as
// 2E-3).
#pragma once

#include <string>

#include "base/json.h"

namespace ferryman::app {

/// With a line break at the end.
std::string pretty_json(const json::value& value);

}  // namespace ferryman::app
