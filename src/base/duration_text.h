// SPDX-License-Identifier: Apache-2.0
// Durations as people write them in settings and annotations: "90s", "1h30m", "1.5h", "250ms" or plain
// seconds.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace ferryman {

/// Errors: invalid, in words that can stand after the value: "is not a duration; write it like 90s, …".
Result<Duration> parse_duration(std::string_view text);

/// As short as can be: "1h30m", "90s" becomes "1m30s", "0s".
std::string format_duration(Duration duration);

}  // namespace ferryman
