// SPDX-License-Identifier: Apache-2.0
// Patterns as AWS has them in filters and policies: "*" stands for any text and "?" for one character.
#pragma once

#include <string_view>

namespace ferryman::sandbox {

bool wildcard_matches(std::string_view pattern, std::string_view text);

}  // namespace ferryman::sandbox
