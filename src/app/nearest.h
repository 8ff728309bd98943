// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known word that is closest to a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ferryman::app {

/// Empty when nothing is close enough to be what was meant.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// The text in quotes, cut to a readable length, control characters escaped: for messages to people.
std::string quoted(std::string_view text);

}  // namespace ferryman::app
