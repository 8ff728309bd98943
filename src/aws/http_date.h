// SPDX-License-Identifier: Apache-2.0
// The Date header (RFC 9110, section 5.6.7), by which we see that our clock is wrong.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace ferryman::aws {

/// "Sun, 01 Mar 2026 12:00:00 GMT"; empty for any other form.
std::optional<WallTime> parse_http_date(std::string_view text);

}  // namespace ferryman::aws
