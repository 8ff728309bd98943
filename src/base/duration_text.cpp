// SPDX-License-Identifier: Apache-2.0
#include "base/duration_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace ferryman {

namespace {

std::optional<double> number_of(std::string_view text) {
  double value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct DurationUnit {
  std::string_view name;
  double nanos;
};

constexpr std::array duration_units{DurationUnit{"ns", 1},   DurationUnit{"us", 1e3},
                                    DurationUnit{"ms", 1e6}, DurationUnit{"s", 1e9},
                                    DurationUnit{"m", 60e9}, DurationUnit{"h", 3600e9}};

// One step of "1h30m": a number and its unit, taken off the front.
std::optional<double> take_part(std::string_view& text) {
  const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto letters = std::min(text.find_first_of("0123456789.", digits), text.size());
  const auto number = number_of(text.substr(0, digits));
  const std::string_view name = text.substr(digits, letters - digits);
  const auto unit = std::find_if(duration_units.begin(), duration_units.end(),
                                 [&](const DurationUnit& u) { return u.name == name; });
  if (!number || unit == duration_units.end()) return std::nullopt;
  text.remove_prefix(letters);
  return *number * unit->nanos;
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  const Error not_a_duration(Fault::invalid, "is not a duration; write it like 90s, 1h30m or plain seconds");
  if (text.empty()) return not_a_duration;
  double nanos = 0;
  if (const auto plain =
          text.find_first_not_of("0123456789.") == std::string_view::npos ? number_of(text) : std::nullopt) {
    nanos = *plain * 1e9;
  } else {
    while (!text.empty()) {
      const auto part = take_part(text);
      if (!part) return not_a_duration;
      nanos += *part;
    }
  }
  constexpr double longest = 100.0 * 365 * 86'400 * 1e9;
  if (!(nanos <= longest)) return Error(Fault::invalid, "is longer than 100 years; write a shorter duration");
  return Duration{std::llround(nanos)};
}

std::string format_duration(Duration duration) {
  std::string out;
  const auto take = [&]<class Unit>(Unit unit, std::string_view name) {
    const auto whole = duration / unit;
    if (whole > 0) out += fmt::format("{}{}", whole, name);
    duration -= whole * unit;
  };
  take(std::chrono::hours{1}, "h");
  take(std::chrono::minutes{1}, "m");
  take(std::chrono::seconds{1}, "s");
  take(std::chrono::milliseconds{1}, "ms");
  return out.empty() ? "0s" : out;
}

}  // namespace ferryman
