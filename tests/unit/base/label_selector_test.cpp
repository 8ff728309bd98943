// SPDX-License-Identifier: Apache-2.0
#include "base/label_selector.h"

#include <gtest/gtest.h>

namespace ferryman {
namespace {

using Labels = std::map<std::string, std::string>;

bool selects(std::string_view selector, const Labels& labels) {
  const auto parsed = parse_label_selector(selector);
  EXPECT_TRUE(parsed) << selector;
  return parsed && parsed->matches(labels);
}

TEST(LabelSelector, EmptySelectsEverything) {
  EXPECT_TRUE(selects("", {}));
  EXPECT_TRUE(selects("  ", {{"app", "web"}}));
  EXPECT_TRUE(parse_label_selector("")->empty());
  EXPECT_FALSE(parse_label_selector("app")->empty());
}

TEST(LabelSelector, EqualityHasThreeSpellings) {
  for (const char* equal : {"app=web", "app==web", " app = web ", "app in (web)"}) {
    EXPECT_TRUE(selects(equal, {{"app", "web"}})) << equal;
    EXPECT_FALSE(selects(equal, {{"app", "web2"}})) << equal;
    EXPECT_FALSE(selects(equal, {})) << equal;
  }
}

TEST(LabelSelector, WhatIsNotThereIsUnequalToo) {
  for (const char* unequal : {"app!=web", "app notin (web)"}) {
    EXPECT_FALSE(selects(unequal, {{"app", "web"}})) << unequal;
    EXPECT_TRUE(selects(unequal, {{"app", "db"}})) << unequal;
    EXPECT_TRUE(selects(unequal, {})) << unequal;
  }
}

TEST(LabelSelector, SetsHoldAnyOfTheirValues) {
  EXPECT_TRUE(selects("tier in (a, b)", {{"tier", "b"}}));
  EXPECT_FALSE(selects("tier in ( a ,b )", {{"tier", "c"}}));
  EXPECT_FALSE(selects("tier notin (a,b)", {{"tier", "a"}}));
  EXPECT_TRUE(selects("tier notin (a,b)", {{"tier", "c"}}));
}

TEST(LabelSelector, AKeyAloneMeansItsPresence) {
  EXPECT_TRUE(selects("canary", {{"canary", ""}}));
  EXPECT_FALSE(selects("canary", {}));
  EXPECT_FALSE(selects("!canary", {{"canary", ""}}));
  EXPECT_TRUE(selects("! canary", {}));
}

TEST(LabelSelector, EveryRequirementMustHold) {
  const char* text = "app.kubernetes.io/name=web,tier in (a,b),!canary,track!=dev";
  EXPECT_TRUE(selects(text, {{"app.kubernetes.io/name", "web"}, {"tier", "a"}}));
  EXPECT_FALSE(selects(text, {{"app.kubernetes.io/name", "web"}, {"tier", "a"}, {"canary", "1"}}));
  EXPECT_FALSE(selects(text, {{"app.kubernetes.io/name", "web"}, {"tier", "a"}, {"track", "dev"}}));
  EXPECT_FALSE(selects(text, {{"tier", "a"}}));
}

TEST(LabelSelector, AnEmptyValueIsAValue) {
  EXPECT_TRUE(selects("app=", {{"app", ""}}));
  EXPECT_FALSE(selects("app=", {{"app", "web"}}));
  EXPECT_TRUE(selects("app in (,web)", {{"app", ""}}));
}

TEST(LabelSelector, WordsOfTheLanguageAreLabelsToo) {
  EXPECT_TRUE(selects("in in (notin)", {{"in", "notin"}}));
  EXPECT_TRUE(selects("notin", {{"notin", "x"}}));
}

TEST(LabelSelector, AFaultIsToldWithItsPlace) {
  struct Case {
    const char* text;
    const char* trouble;
  };
  const Case cases[] = {{"app=web tier=a", "expected a comma at character 9"},
                        {"app=web,", "expected a label at character 9"},
                        {",app", "expected a label at character 1"},
                        {"!", "expected a label at character 2"},
                        {"=web", "expected a label at character 1"},
                        {"app!web", "expected = at character 5"},
                        {"app of (a)", "expected in or notin before \"of\" at character 8"},
                        {"app in a", "expected ( at character 8"},
                        {"app in (a", "expected a comma or ) at character 10"},
                        {"app=web;x", "expected a comma at character 8"},
                        {"app >", "expected =, !=, in or notin at character 5"},
                        {"app=\xff", "expected a comma at character 5"}};
  for (const Case& c : cases) {
    const auto parsed = parse_label_selector(c.text);
    ASSERT_FALSE(parsed) << c.text;
    EXPECT_EQ(parsed.error().fault, Fault::invalid);
    EXPECT_EQ(parsed.error().text, c.trouble) << c.text;
  }
}

}  // namespace
}  // namespace ferryman
