// SPDX-License-Identifier: Apache-2.0
#include "termination/held_messages.h"

#include <gtest/gtest.h>

#include "unit/termination/world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;

class QueueWorld : public test::World {
 public:
  QueueWorld() { loops.spawn("held messages", held.run()); }
  ~QueueWorld() {
    loops.cancel();
    calls.cancel();
    sim.clock.advance(0s);
  }
  QueueWorld(const QueueWorld&) = delete;
  QueueWorld& operator=(const QueueWorld&) = delete;

  /// Received now and held.
  HeldMessagePtr take(const std::string& id, int parts = 1, std::vector<InstanceId> instances = {}) {
    if (!queue.holds(id)) queue.send(id, "body");
    auto received = sim.run(queue.receive(10, 0s, policy.visibility, within(1s)));
    EXPECT_TRUE(received && received->size() == 1 && received->front().id == id);
    return held.hold(std::move(received->front()), parts, std::move(instances));
  }
  /// That many messages, received by as few calls as that takes.
  std::vector<HeldMessagePtr> take_many(int count) {
    for (int n = 0; n < count; ++n) queue.send("m" + std::to_string(n), "body");
    std::vector<HeldMessagePtr> taken;
    while (static_cast<int>(taken.size()) < count) {
      auto received = sim.run(queue.receive(10, 0s, policy.visibility, within(1s)));
      for (Message& message : *received) taken.push_back(held.hold(std::move(message), 1));
    }
    return taken;
  }
  void settle_all(const std::vector<HeldMessagePtr>& messages, MessageOutcome outcome) {
    for (const HeldMessagePtr& message : messages) held.settle(message, outcome);
  }
  /// Given back so often that each is hidden for about a minute now.
  void hide_for_long(const std::map<std::string, InstanceId>& about) {
    for (const auto& [id, instance] : about) queue.send(id, "body");
    for (int n = 1; n <= 12; ++n) {
      auto received = sim.run(queue.receive(10, 0s, policy.visibility, within(1s)));
      EXPECT_EQ(received->size(), about.size());
      for (Message& message : *received) {
        const InstanceId instance = about.at(message.id);
        held.settle(held.hold(std::move(message), 1, {instance}), MessageOutcome::foreign);
      }
      sim.clock.advance(n < 12 ? Duration{2min} : Duration{1s});
    }
    for (const auto& [id, instance] : about) EXPECT_FALSE(queue.visible(id)) << id;
  }
  /// Received and settled again, as often as `times`; gives the seconds of each release.
  std::vector<std::chrono::seconds> releases(int times) {
    for (int i = 0; i < times; ++i) {
      held.settle(take("m"), MessageOutcome::foreign);
      sim.clock.advance(2min);
    }
    return queue.visibilities;
  }

  HeldMessages held{context, queue, calls};
  Scope loops{sim.clock, sim.log};
};

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

TEST(HeldMessages, TenThatAreSettledTogetherCostOneDelete) {
  QueueWorld world;
  world.settle_all(world.take_many(10), MessageOutcome::claimed);
  world.sim.clock.advance(1s);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_EQ(world.queue.removals_at_once, std::vector<std::size_t>{10});
}

TEST(HeldMessages, TenThatGoBackTogetherCostOneCall) {
  QueueWorld world;
  world.settle_all(world.take_many(10), MessageOutcome::foreign);
  world.sim.clock.advance(2s);
  EXPECT_EQ(world.queue.hidings_at_once, std::vector<std::size_t>{10});
  for (int n = 0; n < 10; ++n) EXPECT_TRUE(world.queue.visible("m" + std::to_string(n))) << n;
}

TEST(HeldMessages, WhatIsSettledAFewMillisecondsApartGoesTogether) {
  QueueWorld world;
  for (const auto& message : world.take_many(4)) {
    world.held.settle(message, MessageOutcome::claimed);
    world.sim.clock.advance(5ms);
  }
  world.sim.clock.advance(1s);
  EXPECT_EQ(world.queue.removals_at_once, std::vector<std::size_t>{4});
}

TEST(HeldMessages, TwentyFiveTakeThreeCallsAndNoneWaitsForTheOthers) {
  QueueWorld world;
  const auto messages = world.take_many(25);
  world.script.hang("queue.remove", 1);
  world.settle_all(messages, MessageOutcome::claimed);
  world.sim.clock.advance(1s);
  EXPECT_EQ(world.queue.removals_at_once, (std::vector<std::size_t>{10, 10, 5}));
  EXPECT_EQ(world.queue.size(), 10U);
}

TEST(HeldMessages, WhatIsHeldIsKeptHiddenTenAtATime) {
  QueueWorld world;
  const auto messages = world.take_many(20);
  world.sim.clock.advance(world.policy.visibility - 1s);
  EXPECT_EQ(world.queue.hidings_at_once, (std::vector<std::size_t>{10, 10}));
  EXPECT_EQ(world.held.size(), 20U);
}

TEST(HeldMessages, OneThatCannotBeDeletedIsTriedAgainWithoutTheOthers) {
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

TEST(HeldMessages, OneThatMayNotBeDeletedIsNamedAndTheOthersAreGone) {
  QueueWorld world;
  const auto messages = world.take_many(3);
  world.queue.refuse("m1", Error(Fault::invalid, "InvalidParameterValue", "expired"));
  world.settle_all(messages, MessageOutcome::claimed);
  world.sim.clock.advance(1min);
  EXPECT_EQ(world.queue.size(), 1U);
  EXPECT_EQ(world.sim.logs.with("message.not_deleted message=m1").size(), 1U);
  EXPECT_EQ(world.script.count("queue.remove"), 1U);
}

TEST(HeldMessages, WhatIsGatheredWhenTheStopComesIsToldAtOnce) {
  QueueWorld world;
  world.held.settle(world.take("a"), MessageOutcome::claimed);
  world.held.settle(world.take("b"), MessageOutcome::foreign);
  world.held.release_all(world.within(1s));
  world.sim.clock.advance(6ms);
  EXPECT_FALSE(world.queue.holds("a"));
  EXPECT_EQ(world.queue.visibilities.size(), 1U);
}

// Two entries of one call have no order: an extension must not undo the release.
TEST(HeldMessages, AnExtensionThatIsNotSentYetGivesWayToTheRelease) {
  QueueWorld world;
  const auto message = world.take("m");
  world.sim.clock.advance(world.policy.visibility / 2);
  EXPECT_TRUE(world.queue.hidings_at_once.empty());
  world.held.settle(message, MessageOutcome::foreign);
  world.sim.clock.advance(2s);
  EXPECT_EQ(world.queue.hidings_at_once, std::vector<std::size_t>{1});
  EXPECT_TRUE(world.queue.visible("m"));
}

TEST(HeldMessages, AMessageWhoseNodeAppearsIsVisibleAtOnce) {
  QueueWorld world;
  world.hide_for_long({{"m", test::instance(1)}, {"other", test::instance(2)}});
  world.held.node_appeared(test::instance(1));
  world.sim.clock.advance(100ms);
  EXPECT_TRUE(world.queue.visible("m"));
  EXPECT_FALSE(world.queue.visible("other"));
  EXPECT_EQ(world.held.releases_of("m"), 0);
  EXPECT_EQ(world.held.releases_of("other"), 12);
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
