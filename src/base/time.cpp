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

  /// One digit or two.
  int one_or_two() {
    const bool two = text_.size() > 1 && text_[1] >= '0' && text_[1] <= '9';
    return number(two ? 2 : 1);
  }

  /// "Jan" is 1.
  int month_name() {
    constexpr std::string_view names = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const std::string_view name = text_.substr(0, 3);
    const std::size_t at = name.size() < 3 ? std::string_view::npos : names.find(name);
    if (at == std::string_view::npos || at % 3 != 0) return fail();
    text_.remove_prefix(3);
    return static_cast<int>(at / 3) + 1;
  }

  void expect_word(std::string_view word) {
    if (!text_.starts_with(word)) {
      fail();
      return;
    }
    text_.remove_prefix(word.size());
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

struct Fields {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

std::optional<WallTime> time_of(const Fields& fields) {
  const year_month_day date{std::chrono::year{fields.year},
                            std::chrono::month{static_cast<unsigned>(fields.month)},
                            std::chrono::day{static_cast<unsigned>(fields.day)}};
  const bool sane = fields.year >= 1970 && fields.year < 2200 && date.ok() && fields.hour < 24 &&
                    fields.minute < 60 && fields.second <= 60;
  if (!sane) return std::nullopt;
  return WallTime{std::chrono::sys_days{date}} + hours{fields.hour} + minutes{fields.minute} +
         std::chrono::seconds{fields.second};
}

}  // namespace

std::optional<WallTime> parse_rfc3339(std::string_view text) {
  Reader in(text);
  Fields fields;
  fields.year = in.number(4);
  in.expect("-");
  fields.month = in.number(2);
  in.expect("-");
  fields.day = in.number(2);
  in.expect("Tt ");
  fields.hour = in.number(2);
  in.expect(":");
  fields.minute = in.number(2);
  in.expect(":");
  fields.second = in.number(2);
  const Duration fraction = in.fraction();
  const minutes offset = in.offset();
  const auto time = time_of(fields);
  if (!in.done() || !time) return std::nullopt;
  return *time + fraction - offset;
}

std::optional<WallTime> parse_rfc1123(std::string_view text) {
  if (text.find(", ") == 3) text.remove_prefix(5);
  Reader in(text);
  Fields fields;
  fields.day = in.one_or_two();
  in.expect(" ");
  fields.month = in.month_name();
  in.expect(" ");
  fields.year = in.number(4);
  in.expect(" ");
  fields.hour = in.number(2);
  in.expect(":");
  fields.minute = in.number(2);
  in.expect(":");
  fields.second = in.number(2);
  in.expect_word(" GMT");
  return in.done() ? time_of(fields) : std::nullopt;
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
