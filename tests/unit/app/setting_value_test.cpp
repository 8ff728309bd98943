// SPDX-License-Identifier: Apache-2.0
#include "app/setting_value.h"

#include <gtest/gtest.h>

namespace ferryman::app {
namespace {

using namespace std::chrono_literals;

TEST(ParseDuration, TakesGoFormsAndPlainSeconds) {
  EXPECT_EQ(*parse_duration("90s"), 90s);
  EXPECT_EQ(*parse_duration("1h30m"), 90min);
  EXPECT_EQ(*parse_duration("1.5h"), 90min);
  EXPECT_EQ(*parse_duration("250ms"), 250ms);
  EXPECT_EQ(*parse_duration("3600"), 1h);
  EXPECT_EQ(*parse_duration("0"), 0s);
}

TEST(ParseDuration, RefusesEverythingElse) {
  for (const char* text : {"", "s", "-5s", "5 s", "5d", "1h30", "1.2.3", "nan", "inf", "1e9", "9999999h"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(FormatDuration, IsReadBackAsTheSame) {
  for (const Duration d : {Duration{0s}, Duration{90s}, Duration{1h + 1s}, Duration{48h}, Duration{1250ms}}) {
    EXPECT_EQ(*parse_duration(format_duration(d)), d) << format_duration(d);
  }
}

TEST(ParseAddress, TakesBothFamiliesAndBarePorts) {
  const SettingRow row{.name = "listen", .type = SettingType::address};
  const auto parsed = [&](std::string_view text) { return std::get<Address>(*parse_setting(row, text)); };
  EXPECT_EQ(parsed("127.0.0.1:80"), Address("127.0.0.1", 80));
  EXPECT_EQ(parsed("[::1]:8080"), Address("::1", 8080));
  EXPECT_EQ(parsed(":0"), Address("", 0));
  EXPECT_EQ(parsed("8080"), Address("", 8080));
  for (const char* text : {"", "1.2.3.4", "::1:80", "host:80", "1.2.3.4:65536", "1.2.3.4:-1", "1.2.3.4:"}) {
    EXPECT_FALSE(parse_setting(row, text)) << text;
  }
}

TEST(ParseBoolean, TakesGosWordsOnly) {
  const SettingRow row{.name = "x", .type = SettingType::boolean};
  EXPECT_TRUE(std::get<bool>(*parse_setting(row, "T")));
  EXPECT_FALSE(std::get<bool>(*parse_setting(row, "0")));
  EXPECT_FALSE(parse_setting(row, "yes"));
  EXPECT_FALSE(parse_setting(row, ""));
}

TEST(ParseInteger, KeepsToTheRangeAndTakesItsUnit) {
  const SettingRow row{.name = "x", .type = SettingType::integer, .unit = "%", .least = 1, .most = 100};
  EXPECT_EQ(std::get<std::int64_t>(*parse_setting(row, "80")), 80);
  EXPECT_EQ(std::get<std::int64_t>(*parse_setting(row, "80%")), 80);
  for (const char* text : {"", "0", "101", "1.5", "0x10", "99999999999999999999"}) {
    EXPECT_FALSE(parse_setting(row, text)) << text;
  }
}

}  // namespace
}  // namespace ferryman::app
