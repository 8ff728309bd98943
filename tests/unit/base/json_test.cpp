// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <gtest/gtest.h>

namespace ferryman {
namespace {

TEST(Json, OneValueWithSpaceAroundItIsRead) {
  const auto parsed = parse_json(" \r\n\t{\"a\": {\"b\": [1, \"x\", true]}} \n");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(array_at(find(*parsed, "a"), "b")->size(), 3U);
}

TEST(Json, WhatIsNoJsonIsAnErrorWithAPlace) {
  const std::string bad[] = {"",
                             " ",
                             "{",
                             "{\"a\":}",
                             "{\"a\":1",
                             "[1,]",
                             "{} {}",
                             "{}x",
                             "nul",
                             "01",
                             "'a'",
                             "\"\\x\"",
                             "\"\xff\"",
                             "{\"a\":1,}",
                             "// note\n{}",
                             "\"\\ud800\"",
                             std::string("\0", 1)};
  for (const std::string& text : bad) {
    const auto parsed = parse_json(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().fault, Fault::invalid) << text;
    EXPECT_NE(parsed.error().text.find("byte"), std::string::npos) << parsed.error().text;
  }
}

TEST(Json, ThirtyTwoLevelsAreEnough) {
  EXPECT_TRUE(parse_json(std::string(32, '[') + std::string(32, ']')));
  EXPECT_FALSE(parse_json(std::string(33, '[') + std::string(33, ']')));
  EXPECT_FALSE(parse_json(std::string(5'000'000, '[')));
}

TEST(Json, LookUpsTolerateMissingMembersAndWrongTypes) {
  const json::value value =
      *parse_json(R"({"s":"text","i":-7,"big":18446744073709551615,"f":1.5,"b":true,"n":null})");
  EXPECT_EQ(string_at(value, "s"), "text");
  EXPECT_EQ(string_at(value, "i"), "");
  EXPECT_EQ(string_at(value, "missing"), "");
  EXPECT_EQ(integer_at(&value, "i"), -7);
  EXPECT_FALSE(integer_at(&value, "big"));
  EXPECT_FALSE(integer_at(&value, "f"));
  EXPECT_FALSE(integer_at(&value, "s"));
  EXPECT_TRUE(bool_at(&value, "b"));
  EXPECT_FALSE(bool_at(&value, "s"));
  EXPECT_EQ(array_at(&value, "s"), nullptr);
  EXPECT_EQ(find(find(find(value, "s"), "x"), "y"), nullptr);
  EXPECT_EQ(string_at(nullptr, "s"), "");
}

}  // namespace
}  // namespace ferryman
