// SPDX-License-Identifier: Apache-2.0
// The two kinds of time: SteadyTime for waiting, WallTime only to read AWS times and to sign.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ferryman {

using Duration = std::chrono::nanoseconds;
using SteadyTime = std::chrono::time_point<std::chrono::steady_clock, Duration>;
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

/// RFC 3339 as AWS and Kubernetes write it: "2026-03-01T12:00:00Z", with fractions or an offset. Years
/// 1970–2199.
std::optional<WallTime> parse_rfc3339(std::string_view text);

/// RFC 1123 as AWS Health and the instance metadata write it: "Mon, 12 Jan 2026 00:00:00 GMT"; the day may
/// have one digit, and the weekday may be missing or wrong. Years 1970–2199.
std::optional<WallTime> parse_rfc1123(std::string_view text);

/// "2026-03-01T12:00:00Z"; fractions are cut off.
std::string format_rfc3339(WallTime time);

/// "2026-03-01T12:00:00.123Z".
std::string format_rfc3339_millis(WallTime time);

/// "20260301T120000Z": the form that SigV4 signs.
std::string format_basic(WallTime time);

/// Seconds with three decimals, for logs and reports.
double seconds(Duration duration);

}  // namespace ferryman
