// SPDX-License-Identifier: Apache-2.0
#include "base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace ferryman {
namespace {

TEST(Glob, MatchesWholeNames) {
  struct Case {
    const char* glob;
    const char* name;
    bool matches;
  };
  const Case cases[] = {{"*", "", true},
                        {"*", "drain", true},
                        {"", "", true},
                        {"", "a", false},
                        {"drain", "drain", true},
                        {"drain", "drain-2", false},
                        {"drain-*", "drain-", true},
                        {"drain-*", "train-a", false},
                        {"*-hook", "a-hook", true},
                        {"*-hook", "hook", false},
                        {"a?c", "abc", true},
                        {"a?c", "ac", false},
                        {"*a*b*", "xxaxxbxx", true},
                        {"*a*b*", "xxbxxaxx", false},
                        {"**", "x", true},
                        {"a*b*c", "abbbcbc", true},
                        {"a.c", "abc", false},
                        {"*x", "*", false}};
  for (const Case& c : cases) EXPECT_EQ(matches_glob(c.glob, c.name), c.matches) << c.glob << " " << c.name;
}

TEST(Glob, ManyStarsAgainstALongNameEndSoon) {
  std::string glob;
  for (int i = 0; i < 50; ++i) glob += "a*";
  EXPECT_FALSE(matches_glob(glob + "b", std::string(20'000, 'a')));
}

}  // namespace
}  // namespace ferryman
