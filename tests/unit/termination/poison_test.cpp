// SPDX-License-Identifier: Apache-2.0
#include "termination/poison.h"

#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;
using test::terminate_event;

TEST(Poison, IsLeftAloneAtFirstAndThenNamedOnce) {
  EngineWorld world;
  world.policy.unparsable_after = 3;
  world.start();
  world.queue.send("broken", "{");
  world.run_for(world.policy.visibility * 2 - 1s);
  EXPECT_EQ(world.queue.receives("broken"), 2);
  EXPECT_TRUE(world.sim.logs.with("message.unparsable").empty());
  EXPECT_EQ(world.script.count("queue.set_visibility") + world.script.count("queue.remove"), 0U);
  world.run_for(1h);
  EXPECT_EQ(world.sim.logs.with("message.unparsable message=broken").size(), 1U);
  EXPECT_EQ(world.engine->metrics().messages_quarantined.value(), 1U);
  EXPECT_TRUE(world.queue.holds("broken"));
}

TEST(Poison, IsHiddenForLongerAndLongerUntilTheQueueTakesItAway) {
  EngineWorld world;
  world.start();
  world.queue.send("broken", "{");
  world.run_for(2h);
  const std::vector<std::chrono::seconds> first(world.queue.visibilities.begin(),
                                                world.queue.visibilities.begin() + 7);
  EXPECT_EQ(first, (std::vector<std::chrono::seconds>{30s, 60s, 120s, 240s, 480s, 900s, 900s}));
  EXPECT_LT(world.queue.receives("broken"), 20);
  EXPECT_EQ(world.script.count("queue.remove"), 0U);
}

TEST(Poison, IsDeletedWhenThePolicySaysSo) {
  EngineWorld world;
  world.policy.unparsable = Unparsable::remove;
  world.policy.unparsable_after = 2;
  world.start();
  world.queue.send("broken", "{");
  world.run_for(world.policy.visibility - 1s);
  EXPECT_TRUE(world.queue.holds("broken"));
  world.run_for(2s);
  EXPECT_FALSE(world.queue.holds("broken"));
  EXPECT_EQ(world.sim.logs.with("this message is deleted").size(), 1U);
}

// The queue's own count holds across a restart, and counts what the others received.
TEST(Poison, ReceivesOfOthersCountToo) {
  EngineWorld world;
  world.policy.unparsable = Unparsable::remove;
  world.queue.send("broken", "{");
  for (int n = 0; n < 2; ++n) {
    ASSERT_EQ(world.sim.run(world.queue.receive(1, 0s, 1s, world.within(1s)))->size(), 1U);
    world.run_for(1s);
  }
  world.start();
  world.run_for(1s);
  EXPECT_FALSE(world.queue.holds("broken"));
}

TEST(Poison, AQueueFullOfItLeavesTheLoopAtFullSpeed) {
  for (const Unparsable policy : {Unparsable::redrive, Unparsable::remove}) {
    EngineWorld world;
    world.policy.unparsable = policy;
    for (int n = 0; n < 500; ++n) world.queue.send("broken" + std::to_string(n), "{");
    world.start();
    world.run_for(10min);
    const auto receives = world.script.count("queue.receive");
    world.run_for(10min);
    EXPECT_LT(world.script.count("queue.receive") - receives, 200U);
    world.send("zz-good", world.ending_node(1));
    world.run_for(5s);
    EXPECT_EQ(world.queue.holds("zz-good"), false);
    EXPECT_FALSE(world.claim_of(1).events.empty());
    EXPECT_EQ(world.engine->metrics().messages_quarantined.value(), 500U);
    EXPECT_EQ(world.engine->failures(), 0U);
  }
}

TEST(Poison, AMessageThatParsesIsNeverPutAwayHoweverOftenItWasReceived) {
  EngineWorld world;
  world.policy.unparsable = Unparsable::remove;
  world.policy.unparsable_after = 1;
  world.start();
  world.send("foreign", terminate_event(9));
  world.run_for(1h);
  EXPECT_GT(world.queue.receives("foreign"), 30);
  EXPECT_TRUE(world.queue.holds("foreign"));
  EXPECT_EQ(world.engine->metrics().messages_quarantined.value(), 0U);
}

TEST(Poison, ItsMemoryIsBounded) {
  test::World world;
  HeldMessages held(world.context, world.queue, world.calls);
  Poison poison(world.context, held);
  for (int n = 0; n < 12'000; ++n) {
    Message message;
    message.id = std::to_string(n);
    poison.take(message, Error(Fault::invalid, "no JSON"));
  }
  EXPECT_EQ(poison.remembered(), 10'000U);
}

}  // namespace
}  // namespace ferryman::termination
