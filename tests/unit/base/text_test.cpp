// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

namespace ferryman {
namespace {

constexpr const char* replaced = "\xef\xbf\xbd";

TEST(Utf8, WhatIsValidStaysAsItIs) {
  for (const char* text : {"", "plain", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x9a\xa2", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(to_utf8(text), text);
  }
  EXPECT_EQ(to_utf8(std::string_view("a\0b", 3)).size(), 3U);
}

TEST(Utf8, EachWrongByteIsReplaced) {
  EXPECT_EQ(to_utf8("a\xff"
                    "b"),
            std::string("a") + replaced + "b");
  EXPECT_EQ(to_utf8("\x80"), replaced);
  EXPECT_EQ(to_utf8("\xe2\x82"), std::string(replaced) + replaced);
  EXPECT_EQ(to_utf8("\xc3("), std::string(replaced) + "(");
}

TEST(Utf8, OverlongFormsSurrogatesAndTooLargeNumbersAreWrong) {
  for (const char* text :
       {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_EQ(to_utf8(text).find_first_not_of(replaced), std::string::npos);
  }
}

TEST(Shortened, CutsBetweenCharactersAndSaysSo) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc\xe2\x80\xa6");
  EXPECT_EQ(shortened("ab\xe2\x82\xac", 4), "ab\xe2\x80\xa6");
  EXPECT_EQ(shortened("\xe2\x82\xac", 1), "\xe2\x80\xa6");
  EXPECT_EQ(shortened("\x80\x80\x80", 2), "\xe2\x80\xa6");
}

TEST(FirstFew, NamesTenAndCountsTheOthers) {
  EXPECT_EQ(first_few({}), "");
  EXPECT_EQ(first_few({"a", "b"}), "a; b");
  const std::vector<std::string> many(12, "x");
  EXPECT_EQ(first_few(many), "x; x; x; x; x; x; x; x; x; x; and 2 more");
}

}  // namespace
}  // namespace ferryman
