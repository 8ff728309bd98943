// SPDX-License-Identifier: Apache-2.0
// The names of what we leave on a Node. By them we know our own marks and undo no others.
#pragma once

#include <string_view>

namespace ferryman::termination::marks {

inline constexpr std::string_view claim_annotation = "ferryman.dev/claim";
inline constexpr std::string_view taint_key = "ferryman.dev/terminating";

}  // namespace ferryman::termination::marks
