// SPDX-License-Identifier: Apache-2.0
#include "net/http.h"

#include <gtest/gtest.h>

namespace ferryman::net {
namespace {

TEST(Headers, NamesCompareWithoutCase) {
  Headers headers;
  headers.add("Content-Type", "text/xml");
  EXPECT_EQ(headers.get("content-type"), "text/xml");
  EXPECT_TRUE(headers.has("CONTENT-TYPE"));
  EXPECT_FALSE(headers.has("Content-Typ"));
  EXPECT_EQ(headers.get("Content-Length"), "");
}

TEST(Headers, SetReplacesAllFieldsOfThatName) {
  Headers headers;
  headers.add("Via", "a");
  headers.add("Host", "x");
  headers.add("via", "b");
  headers.set("VIA", "c");
  EXPECT_EQ(headers.size(), 2U);
  EXPECT_EQ(headers.get("via"), "c");
  EXPECT_EQ(headers.get("host"), "x");
}

std::int64_t retry_after(std::string value) {
  Headers headers;
  headers.add("Retry-After", std::move(value));
  return retry_after_millis(headers);
}

TEST(RetryAfter, IsReadInSecondsAndNeverMoreThanADay) {
  EXPECT_EQ(retry_after("7"), 7'000);
  EXPECT_EQ(retry_after("0"), 0);
  EXPECT_EQ(retry_after("99999999"), 86'400'000);
  EXPECT_EQ(retry_after_millis(Headers()), 0);
}

TEST(RetryAfter, WhatIsNoNumberOfSecondsCountsAsAbsent) {
  for (const char* text :
       {"-1", "1.5", "soon", "", " 3", "99999999999999999999", "Fri, 31 Dec 1999 23:59:59 GMT"}) {
    EXPECT_EQ(retry_after(text), 0) << text;
  }
}

}  // namespace
}  // namespace ferryman::net
