// SPDX-License-Identifier: Apache-2.0
#include "termination/releases.h"

#include <gtest/gtest.h>

#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime noon{12h};

Message received(const std::string& id, const std::string& receipt = "r", int receives = 1) {
  Message message;
  message.id = id;
  message.receipt_handle = receipt;
  message.receive_count = receives;
  return message;
}

TEST(Releases, AreCountedForEachMessage) {
  Releases releases;
  EXPECT_EQ(releases.count(received("a", "r1"), {}), 1);
  EXPECT_EQ(releases.count(received("b", "r2"), {}), 1);
  EXPECT_EQ(releases.count(received("a", "r3"), {}), 2);
  EXPECT_EQ(releases.of(received("a")), 2);
  EXPECT_EQ(releases.of(received("never seen")), 0);
}

TEST(Releases, TheNewestReceiptOfEachHiddenMessageIsGivenBack) {
  Releases releases;
  const InstanceId one = test::instance(1);
  releases.count(received("a", "old"), {one});
  releases.hidden("a", noon + 1s);
  releases.count(received("a", "new"), {one});
  releases.hidden("a", noon + 60s);
  releases.count(received("b", "visible"), {one, test::instance(2)});
  releases.hidden("b", noon);
  releases.count(received("c", "unanswered"), {one});
  EXPECT_EQ(releases.forget_all_of(one, noon), (std::map<std::string, std::string>{{"a", "new"}}));
  EXPECT_EQ(releases.size(), 0U);
  EXPECT_TRUE(releases.forget_all_of(test::instance(2), noon).empty());
}

TEST(Releases, WhatWasReleasedLongestAgoIsForgottenFirst) {
  Releases releases(3);
  for (const char* id : {"a", "b", "c", "a", "d"}) releases.count(received(id), {test::instance(1)});
  EXPECT_EQ(releases.size(), 3U);
  EXPECT_EQ(releases.of(received("a")), 2);
  EXPECT_FALSE(releases.remembers("b"));
  releases.hidden("b", noon + 60s);
  EXPECT_TRUE(releases.forget_all_of(test::instance(1), noon).empty());
  EXPECT_EQ(releases.size(), 0U);
}

// A queue may hold more foreign messages than can be remembered: without a count none would ever rest.
TEST(Releases, WhatWasForgottenForWantOfRoomCountsHalfOfItsReceives) {
  Releases releases(2);
  EXPECT_EQ(releases.of(received("new", "r", 30)), 0);
  for (const char* id : {"a", "b", "c"}) releases.count(received(id), {});
  EXPECT_EQ(releases.of(received("a", "r", 30)), 15);
  EXPECT_EQ(releases.count(received("a", "r", 30), {}), 16);
}

TEST(Releases, ThePauseIsASecondAtMostSixTimesAndThenGrowsToAMinute) {
  Random random(3);
  bool at_once = false;
  for (int n = 1; n <= 6; ++n) {
    for (int i = 0; i < 50; ++i) {
      const auto pause = pause_of_release(n, random);
      EXPECT_LE(pause, 1s);
      at_once = at_once || pause == 0s;
    }
  }
  EXPECT_TRUE(at_once);
  for (int i = 0; i < 500; ++i) {
    EXPECT_GE(pause_of_release(7, random), 1s);
    EXPECT_LE(pause_of_release(7, random), 3s);
    EXPECT_GE(pause_of_release(1000, random), 42s);
    EXPECT_LE(pause_of_release(1000, random), 78s);
  }
}

}  // namespace
}  // namespace ferryman::termination
