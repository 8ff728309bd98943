// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

#include <fmt/format.h>

#include <cmath>

namespace ferryman {

namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::hh_mm_ss;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::year_month_day;

/// Reads digits from a text and remembers whether all that was asked for was there.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  int number(std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (text_.empty() || text_[0] < '0' || text_[0] > '9') return fail();
      value = value * 10 + (text_[0] - '0');
      text_.remove_prefix(1);
    }
    return value;
  }

  void expect(std::string_view any_of) {
    if (text_.empty() || any_of.find(text_[0]) == std::string_view::npos) {
      fail();
      return;
    }
    text_.remove_prefix(1);
  }

  Duration fraction() {
    if (text_.empty() || text_[0] != '.') return Duration{0};
    text_.remove_prefix(1);
    std::int64_t nanos = 0;
    std::int64_t unit = 100'000'000;
    bool any = false;
    while (!text_.empty() && text_[0] >= '0' && text_[0] <= '9') {
      nanos += unit * (text_[0] - '0');
      unit /= 10;
      any = true;
      text_.remove_prefix(1);
    }
    if (!any) fail();
    return Duration{nanos};
  }

  minutes offset() {
    if (text_ == "Z" || text_ == "z") {
      text_ = {};
      return minutes{0};
    }
    const int sign = text_.starts_with('-') ? -1 : 1;
    expect("+-");
    const int hour = number(2);
    if (text_.starts_with(':')) text_.remove_prefix(1);
    const int minute = number(2);
    if (hour > 23 || minute > 59) fail();
    return minutes{sign * (hour * 60 + minute)};
  }

  [[nodiscard]] bool done() const { return ok_ && text_.empty(); }

 private:
  int fail() {
    ok_ = false;
    return 0;
  }

  std::string_view text_;
  bool ok_ = true;
};

}  // namespace

std::optional<WallTime> parse_rfc3339(std::string_view text) {
  Reader in(text);
  const int year = in.number(4);
  in.expect("-");
  const int month = in.number(2);
  in.expect("-");
  const int day = in.number(2);
  in.expect("Tt ");
  const int hour = in.number(2);
  in.expect(":");
  const int minute = in.number(2);
  in.expect(":");
  const int second = in.number(2);
  const Duration fraction = in.fraction();
  const minutes offset = in.offset();
  const year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                            std::chrono::day{static_cast<unsigned>(day)}};
  const bool sane = year >= 1970 && year < 2200 && date.ok() && hour < 24 && minute < 60 && second <= 60;
  if (!in.done() || !sane) return std::nullopt;
  return WallTime{std::chrono::sys_days{date}} + hours{hour} + minutes{minute} +
         std::chrono::seconds{second} + fraction - offset;
}

namespace {

struct Civil {
  year_month_day date;
  hh_mm_ss<milliseconds> clock;
};

Civil civil(WallTime time) {
  const auto day = floor<days>(time);
  return {year_month_day{day}, hh_mm_ss{floor<milliseconds>(time - day)}};
}

std::string format_civil(WallTime time, std::string_view pattern) {
  const Civil t = civil(time);
  return fmt::format(fmt::runtime(pattern), static_cast<int>(t.date.year()),
                     static_cast<unsigned>(t.date.month()), static_cast<unsigned>(t.date.day()),
                     t.clock.hours().count(), t.clock.minutes().count(), t.clock.seconds().count(),
                     t.clock.subseconds().count());
}

}  // namespace

std::string format_rfc3339(WallTime time) {
  return format_civil(time, "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z");
}

std::string format_rfc3339_millis(WallTime time) {
  return format_civil(time, "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z");
}

std::string format_basic(WallTime time) {
  return format_civil(time, "{:04}{:02}{:02}T{:02}{:02}{:02}Z");
}

double seconds(Duration duration) {
  return std::round(std::chrono::duration<double>(duration).count() * 1000.0) / 1000.0;
}

}  // namespace ferryman
