// SPDX-License-Identifier: Apache-2.0
#include "termination/held_messages.h"

#include <gtest/gtest.h>

#include "unit/termination/queue_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::QueueWorld;

TEST(HeldMessages, AClaimedMessageIsDeletedOnce) {
  QueueWorld world;
  world.held.settle(world.take("m"), MessageOutcome::claimed);
  world.sim.clock.advance(5min);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.script.count("queue.remove"), 1U);
  EXPECT_EQ(world.script.count("queue.set_visibility"), 0U);
  EXPECT_EQ(world.held.size(), 0U);
  EXPECT_EQ(world.metrics.messages[MessageOutcome::claimed].value(), 1U);
}

TEST(HeldMessages, AForeignMessageOfASharedQueueIsBackWithinASecondSixTimes) {
  QueueWorld world;
  const auto releases = world.releases(6);
  ASSERT_EQ(releases.size(), 6U);
  for (const auto pause : releases) EXPECT_LE(pause, 1s);
  EXPECT_TRUE(world.queue.holds("m"));
}

TEST(HeldMessages, FromTheSeventhReleaseOnThePauseGrowsToAMinute) {
  QueueWorld world;
  const auto releases = world.releases(16);
  ASSERT_EQ(releases.size(), 16U);
  for (int n = 7; n <= 16; ++n) {
    const double middle = std::min(std::pow(2.0, n - 6), 60.0);
    const double pause = static_cast<double>(releases.at(static_cast<std::size_t>(n - 1)).count());
    EXPECT_GE(pause, std::floor(middle * 0.7)) << n;
    EXPECT_LE(pause, std::ceil(middle * 1.3)) << n;
  }
}

TEST(HeldMessages, AForeignMessageOfAnExclusiveQueueIsDeleted) {
  QueueWorld world;
  world.policy.queue_mode = QueueMode::exclusive;
  world.held.settle(world.take("m"), MessageOutcome::foreign);
  world.sim.clock.advance(5s);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(HeldMessages, AMessageThatIsLeftComesBackByItself) {
  QueueWorld world;
  world.held.settle(world.take("m"), MessageOutcome::not_in_sync);
  world.sim.clock.advance(world.policy.visibility - 1s);
  EXPECT_FALSE(world.queue.visible("m"));
  world.sim.clock.advance(2s);
  EXPECT_TRUE(world.queue.visible("m"));
  EXPECT_EQ(world.script.count("queue.set_visibility") + world.script.count("queue.remove"), 0U);
}

TEST(HeldMessages, AMessageHeldForAnHourStaysHidden) {
  QueueWorld world;
  const auto message = world.take("m");
  for (int i = 0; i < 3600; ++i) {
    world.sim.clock.advance(1s);
    ASSERT_FALSE(world.queue.visible("m")) << i;
  }
  world.held.settle(message, MessageOutcome::handled);
  world.sim.clock.advance(5s);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(HeldMessages, AFailedExtensionIsTriedAgainInTime) {
  QueueWorld world;
  const auto message = world.take("m");
  world.script.fail("queue.set_visibility", Error(Fault::transport, "reset"), 1);
  for (int i = 0; i < 120; ++i) {
    world.sim.clock.advance(1s);
    ASSERT_FALSE(world.queue.visible("m")) << i;
  }
  EXPECT_EQ(world.sim.logs.with("message.not_kept_hidden").size(), 1U);
}

TEST(HeldMessages, AMessageOfManyEventsIsDisposedOfWithItsLastPart) {
  QueueWorld world;
  const auto message = world.take("m", 3);
  world.held.settle(message, MessageOutcome::claimed);
  world.held.settle(message, MessageOutcome::repeated);
  world.sim.clock.advance(5s);
  EXPECT_TRUE(world.queue.holds("m"));
  world.held.settle(message, MessageOutcome::handled);
  world.sim.clock.advance(5s);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.script.count("queue.remove"), 1U);
}

TEST(HeldMessages, OnePartThatNeedsTheMessageKeepsIt) {
  const MessageOutcome keeping[] = {MessageOutcome::foreign, MessageOutcome::undecided,
                                    MessageOutcome::interrupted};
  for (const MessageOutcome outcome : keeping) {
    QueueWorld world;
    const auto message = world.take("m", 3);
    world.held.settle(message, MessageOutcome::claimed);
    world.held.settle(message, outcome);
    world.held.settle(message, MessageOutcome::claimed);
    world.sim.clock.advance(2min);
    EXPECT_TRUE(world.queue.holds("m")) << name_of(outcome);
    EXPECT_EQ(world.metrics.messages[outcome].value(), 1U) << name_of(outcome);
  }
}

TEST(HeldMessages, AMessageThatNobodyHoldsAnyMoreGoesBack) {
  QueueWorld world;
  world.take("m", 2);
  world.sim.clock.advance(20s);
  EXPECT_TRUE(world.queue.visible("m"));
  EXPECT_EQ(world.sim.logs.with("message.forgotten").size(), 1U);
  EXPECT_EQ(world.held.size(), 0U);
}

TEST(HeldMessages, ADeleteThatFailsIsRetried) {
  QueueWorld world;
  world.script.fail("queue.remove", Error(Fault::throttled, "slow down"), 1);
  world.script.hang("queue.remove", 2);
  world.held.settle(world.take("m"), MessageOutcome::claimed);
  world.sim.clock.advance(30s);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.script.count("queue.remove"), 3U);
}

TEST(HeldMessages, ADeleteThatIsDeniedIsReportedAndNotRepeated) {
  QueueWorld world;
  world.script.fail("queue.remove", Error(Fault::denied, "AccessDenied", "no sqs:DeleteMessage"));
  world.held.settle(world.take("m"), MessageOutcome::claimed);
  world.sim.clock.advance(5min);
  EXPECT_EQ(world.script.count("queue.remove"), 1U);
  EXPECT_EQ(world.sim.logs.with("message.not_deleted").size(), 1U);
}

TEST(HeldMessages, ReleaseAllGivesEverythingBackAtOnce) {
  QueueWorld world;
  const auto first = world.take("a");
  const auto second = world.take("b");
  world.held.release_all(world.within(5s));
  world.sim.clock.advance(1s);
  EXPECT_TRUE(world.queue.visible("a"));
  EXPECT_TRUE(world.queue.visible("b"));
  EXPECT_EQ(world.held.size(), 0U);
  world.held.settle(first, MessageOutcome::handled);
  world.sim.clock.advance(5s);
  EXPECT_TRUE(world.queue.holds("a"));
}

TEST(HeldMessages, ReleaseAllLetsNoHangingCallHoldUpTheOthers) {
  QueueWorld world;
  const auto messages = world.take_many(30);
  for (int nth = 1; nth <= 2; ++nth) world.script.hang("queue.set_visibility", nth);
  world.held.release_all(world.within(5s));
  world.sim.clock.advance(1s);
  int visible = 0;
  for (int n = 0; n < 30; ++n) visible += world.queue.visible("m" + std::to_string(n)) ? 1 : 0;
  EXPECT_EQ(visible, 10);
  world.sim.clock.advance(5s);
  EXPECT_EQ(world.calls.size(), 0U);
}

Message named(const std::string& id) {
  Message message;
  message.id = id;
  return message;
}

TEST(HeldMessages, AMessageWhoseNodeAppearsIsVisibleAtOnce) {
  QueueWorld world;
  world.hide_for_long({{"m", test::instance(1)}, {"other", test::instance(2)}});
  world.held.node_appeared(test::instance(1));
  world.sim.clock.advance(100ms);
  EXPECT_TRUE(world.queue.visible("m"));
  EXPECT_FALSE(world.queue.visible("other"));
  EXPECT_EQ(world.held.releases_of(named("m")), 0);
  EXPECT_EQ(world.held.releases_of(named("other")), 12);
}

TEST(HeldMessages, AMessageWhoseNodeAppearsWhileItGoesBackIsVisibleToo) {
  for (const Duration later : {Duration{0}, Duration{21ms}}) {
    QueueWorld world;
    world.hide_for_long({{"m", test::instance(1)}});
    world.sim.clock.advance(2min);
    world.held.settle(world.take("m", 1, {test::instance(1)}), MessageOutcome::foreign);
    world.sim.clock.advance(later);
    world.held.node_appeared(test::instance(1));
    world.sim.clock.advance(200ms);
    EXPECT_TRUE(world.queue.visible("m"));
  }
}

// Its handle is stale then, and whoever has it now must not lose it.
TEST(HeldMessages, AMessageThatIsVisibleAgainIsNotTouchedWhenItsNodeAppears) {
  QueueWorld world;
  world.held.settle(world.take("m", 1, {test::instance(1)}), MessageOutcome::foreign);
  world.sim.clock.advance(3s);
  const std::size_t calls = world.script.count("queue.set_visibility");
  world.held.node_appeared(test::instance(1));
  world.sim.clock.advance(3s);
  EXPECT_EQ(world.script.count("queue.set_visibility"), calls);
}

}  // namespace
}  // namespace ferryman::termination
