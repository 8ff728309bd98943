// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

#include <gtest/gtest.h>

namespace ferryman {
namespace {

using namespace std::chrono_literals;

std::string read(std::string_view text) {
  const auto time = parse_rfc3339(text);
  return time ? format_rfc3339_millis(*time) : "none";
}

TEST(Rfc3339, TheFormsThatAwsAndKubernetesWriteAreRead) {
  EXPECT_EQ(read("2026-03-01T12:00:00Z"), "2026-03-01T12:00:00.000Z");
  EXPECT_EQ(read("2026-03-01T12:00:00.5Z"), "2026-03-01T12:00:00.500Z");
  EXPECT_EQ(read("2026-03-01T12:00:00.123456789Z"), "2026-03-01T12:00:00.123Z");
  EXPECT_EQ(read("2026-03-01T12:00:00.1234567890123Z"), "2026-03-01T12:00:00.123Z");
  EXPECT_EQ(read("2026-03-01t12:00:00z"), "2026-03-01T12:00:00.000Z");
  EXPECT_EQ(read("2026-03-01 12:00:00Z"), "2026-03-01T12:00:00.000Z");
}

TEST(Rfc3339, OffsetsAreSubtracted) {
  EXPECT_EQ(read("2026-03-01T12:00:00+02:00"), "2026-03-01T10:00:00.000Z");
  EXPECT_EQ(read("2026-03-01T12:00:00-05:30"), "2026-03-01T17:30:00.000Z");
  EXPECT_EQ(read("2026-03-01T12:00:00+0000"), "2026-03-01T12:00:00.000Z");
  EXPECT_EQ(read("2026-01-01T00:30:00+01:00"), "2025-12-31T23:30:00.000Z");
}

TEST(Rfc3339, TheCalendarIsKept) {
  EXPECT_EQ(read("2028-02-29T00:00:00Z"), "2028-02-29T00:00:00.000Z");
  EXPECT_EQ(read("2000-02-29T00:00:00Z"), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(read("2026-02-29T00:00:00Z"), "none");
  EXPECT_EQ(read("2100-02-29T00:00:00Z"), "none");
  EXPECT_EQ(read("2026-04-31T00:00:00Z"), "none");
  EXPECT_EQ(read("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00.000Z");
}

TEST(Rfc3339, GarbageIsNone) {
  const char* garbage[] = {"",
                           "now",
                           "2026",
                           "2026-03-01",
                           "2026-03-01T12:00:00",
                           "2026-03-01T12:00Z",
                           "2026-03-01T12:00:00.Z",
                           "2026-03-01T12:00:00Zx",
                           "2026-03-01T24:00:00Z",
                           "2026-03-01T12:60:00Z",
                           "2026-03-01T12:00:61Z",
                           "2026-13-01T12:00:00Z",
                           "2026-00-01T12:00:00Z",
                           "2026-03-00T12:00:00Z",
                           "1969-12-31T23:59:59Z",
                           "9999-12-31T23:59:59Z",
                           "2026-03-01T12:00:00+24:00",
                           "2026-03-01T12:00:00+01:60",
                           "2026-03-01T12:00:00+1",
                           "-026-03-01T12:00:00Z",
                           "1772366400"};
  for (const char* text : garbage) EXPECT_EQ(read(text), "none") << text;
  EXPECT_EQ(read(std::string_view("2026-03-01T12:00:00Z\0", 21)), "none");
}

TEST(Time, IsWrittenInTheFormsThatOthersRead) {
  const WallTime time = *parse_rfc3339("2026-03-01T02:03:04.056Z");
  EXPECT_EQ(format_rfc3339(time), "2026-03-01T02:03:04Z");
  EXPECT_EQ(format_rfc3339_millis(time), "2026-03-01T02:03:04.056Z");
  EXPECT_EQ(format_basic(time), "20260301T020304Z");
  EXPECT_EQ(format_rfc3339(WallTime(-1s)), "1969-12-31T23:59:59Z");
}

TEST(Time, SecondsHaveThreeDecimals) {
  EXPECT_DOUBLE_EQ(seconds(1234567us), 1.235);
  EXPECT_DOUBLE_EQ(seconds(-1500ms), -1.5);
  EXPECT_DOUBLE_EQ(seconds(2h), 7200.0);
}

std::string read_1123(std::string_view text) {
  const auto time = parse_rfc1123(text);
  return time ? format_rfc3339(*time) : "none";
}

TEST(Rfc1123, TheFormsThatHealthAndTheMetadataWriteAreRead) {
  EXPECT_EQ(read_1123("Mon, 12 Jan 2026 00:00:00 GMT"), "2026-01-12T00:00:00Z");
  EXPECT_EQ(read_1123("Sun, 1 Mar 2026 13:00:00 GMT"), "2026-03-01T13:00:00Z");
  EXPECT_EQ(read_1123("Sun, 01 Mar 2026 13:00:00 GMT"), "2026-03-01T13:00:00Z");
  EXPECT_EQ(read_1123("20 Feb 2026 13:00:00 GMT"), "2026-02-20T13:00:00Z");
  EXPECT_EQ(read_1123("Sat, 31 Dec 2016 23:59:59 GMT"), "2016-12-31T23:59:59Z");
}

// AWS's own documentation has a Saturday that was a Sunday.
TEST(Rfc1123, AWrongWeekdayIsNoMatter) {
  EXPECT_EQ(read_1123("Sat, 05 Jun 2016 15:10:09 GMT"), "2016-06-05T15:10:09Z");
}

TEST(Rfc1123, GarbageIsNone) {
  const char* garbage[] = {"",
                           "GMT",
                           "Mon, ",
                           "Mon, 12 Jan 2026",
                           "Mon, 12 Jan 2026 00:00:00",
                           "Mon, 12 Jan 2026 00:00:00 EST",
                           "Mon, 12 Jan 2026 00:00:00 GMTx",
                           "Mon, 12 anF 2026 00:00:00 GMT",
                           "Mon, 12 ja 2026 00:00:00 GMT",
                           "Mon, 30 Feb 2026 00:00:00 GMT",
                           "Mon, 0 Jan 2026 00:00:00 GMT",
                           "Mon, 123 Jan 2026 00:00:00 GMT",
                           "Mon, 12 Jan 1969 00:00:00 GMT",
                           "Mon, 12 Jan 2026 24:00:00 GMT",
                           "2026-01-12T00:00:00Z"};
  for (const char* text : garbage) EXPECT_EQ(read_1123(text), "none") << text;
}

}  // namespace
}  // namespace ferryman
