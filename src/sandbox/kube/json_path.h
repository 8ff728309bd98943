// SPDX-License-Identifier: Apache-2.0
// Reading and writing Kubernetes objects by dotted paths such as "spec.nodeName". Keys that hold dots need
// other means.
#pragma once

#include <string_view>

#include "base/json.h"

namespace ferryman::sandbox {

/// Null when a step is missing or no object.
const json::value* value_at(const json::value& root, std::string_view path);

/// Empty when the value is missing or no string.
std::string_view text_at(const json::value& root, std::string_view path);

/// The value at the path, made null when missing; whatever stands in the way becomes an object.
json::value& make_at(json::value& root, std::string_view path);

void erase_at(json::value& root, std::string_view path);

}  // namespace ferryman::sandbox
