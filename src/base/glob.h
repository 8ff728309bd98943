// SPDX-License-Identifier: Apache-2.0
// Globs, as settings, AWS' filters and policies have them: "*" is any run of characters, "?" one character.
#pragma once

#include <string_view>

namespace ferryman {

/// Compares the whole of `text`. The time is at most the product of both lengths.
bool matches_glob(std::string_view glob, std::string_view text);

}  // namespace ferryman
