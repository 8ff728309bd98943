// SPDX-License-Identifier: Apache-2.0
// Bodies in YAML, which the API server takes like JSON.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace ferryman::sandbox {

/// One document. Error: invalid.
Result<json::value> parse_yaml(std::string_view text);

}  // namespace ferryman::sandbox
