// SPDX-License-Identifier: Apache-2.0
#include "termination/outbox.h"

#include <gtest/gtest.h>

#include "unit/termination/queue_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::QueueWorld;

TEST(Outbox, TenThatAreSettledTogetherCostOneDelete) {
  QueueWorld world;
  world.settle_all(world.take_many(10), MessageOutcome::claimed);
  world.sim.clock.advance(1s);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_EQ(world.queue.removals_at_once, std::vector<std::size_t>{10});
}

TEST(Outbox, TenThatGoBackTogetherCostOneCall) {
  QueueWorld world;
  world.settle_all(world.take_many(10), MessageOutcome::foreign);
  world.sim.clock.advance(2s);
  EXPECT_EQ(world.queue.hidings_at_once, std::vector<std::size_t>{10});
  for (int n = 0; n < 10; ++n) EXPECT_TRUE(world.queue.visible("m" + std::to_string(n))) << n;
}

TEST(Outbox, WhatIsSettledAFewMillisecondsApartGoesTogether) {
  QueueWorld world;
  for (const auto& message : world.take_many(4)) {
    world.held.settle(message, MessageOutcome::claimed);
    world.sim.clock.advance(5ms);
  }
  world.sim.clock.advance(1s);
  EXPECT_EQ(world.queue.removals_at_once, std::vector<std::size_t>{4});
}

TEST(Outbox, TwentyFiveTakeThreeCallsAndNoneWaitsForTheOthers) {
  QueueWorld world;
  const auto messages = world.take_many(25);
  world.script.hang("queue.remove", 1);
  world.settle_all(messages, MessageOutcome::claimed);
  world.sim.clock.advance(1s);
  EXPECT_EQ(world.queue.removals_at_once, (std::vector<std::size_t>{10, 10, 5}));
  EXPECT_EQ(world.queue.size(), 10U);
}

TEST(Outbox, WhatIsHeldIsKeptHiddenTenAtATime) {
  QueueWorld world;
  const auto messages = world.take_many(20);
  world.sim.clock.advance(world.policy.visibility - 1s);
  EXPECT_EQ(world.queue.hidings_at_once, (std::vector<std::size_t>{10, 10}));
  EXPECT_EQ(world.held.size(), 20U);
}

TEST(Outbox, OneThatCannotBeDeletedIsTriedAgainWithoutTheOthers) {
  QueueWorld world;
  const auto messages = world.take_many(5);
  world.queue.refuse("m3", Error(Fault::unexpected, "InternalError", "later"));
  world.settle_all(messages, MessageOutcome::claimed);
  world.sim.clock.advance(200ms);
  EXPECT_EQ(world.queue.size(), 1U);
  world.queue.accept("m3");
  world.sim.clock.advance(5s);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_EQ(world.queue.removals_at_once, (std::vector<std::size_t>{5, 1}));
  EXPECT_TRUE(world.sim.logs.with("message.not_deleted").empty());
}

TEST(Outbox, OneThatMayNotBeDeletedIsNamedAndTheOthersAreGone) {
  QueueWorld world;
  const auto messages = world.take_many(3);
  world.queue.refuse("m1", Error(Fault::invalid, "InvalidParameterValue", "expired"));
  world.settle_all(messages, MessageOutcome::claimed);
  world.sim.clock.advance(1min);
  EXPECT_EQ(world.queue.size(), 1U);
  EXPECT_EQ(world.sim.logs.with("message.not_deleted message=m1").size(), 1U);
  EXPECT_EQ(world.script.count("queue.remove"), 1U);
}

TEST(Outbox, WhatIsGatheredWhenTheStopComesIsToldAtOnce) {
  QueueWorld world;
  world.held.settle(world.take("a"), MessageOutcome::claimed);
  world.held.settle(world.take("b"), MessageOutcome::foreign);
  world.held.release_all(world.within(1s));
  world.sim.clock.advance(6ms);
  EXPECT_FALSE(world.queue.holds("a"));
  EXPECT_EQ(world.queue.visibilities.size(), 1U);
}

// Two entries of one call have no order: an extension must not undo the release.
TEST(Outbox, AnExtensionThatIsNotSentYetGivesWayToTheRelease) {
  QueueWorld world;
  const auto message = world.take("m");
  world.sim.clock.advance(world.policy.visibility / 2);
  EXPECT_TRUE(world.queue.hidings_at_once.empty());
  world.held.settle(message, MessageOutcome::foreign);
  world.sim.clock.advance(2s);
  EXPECT_EQ(world.queue.hidings_at_once, std::vector<std::size_t>{1});
  EXPECT_TRUE(world.queue.visible("m"));
}

}  // namespace
}  // namespace ferryman::termination
