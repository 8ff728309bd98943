// SPDX-License-Identifier: Apache-2.0
#include "termination/heartbeat.h"

#include <gtest/gtest.h>

#include "unit/termination/world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::drain_hook;
using test::instance;
using test::terminate_event;

class BeatingWorld : public test::World {
 public:
  BeatingWorld() { loops.spawn("heartbeats", heartbeats.run()); }
  ~BeatingWorld() {
    loops.cancel();
    calls.cancel();
    sim.clock.advance(0s);
  }
  BeatingWorld(const BeatingWorld&) = delete;
  BeatingWorld& operator=(const BeatingWorld&) = delete;

  /// Auto Scaling waits for it, and it is kept alive since now.
  LifecycleAction keep(int n, const std::string& hook = drain_hook) {
    LifecycleAction action = *terminate_event(n, hook).action;
    cloud.wait_for(action);
    heartbeats.add(action, sim.clock.wall());
    return action;
  }
  /// The group has it, and the catalog was asked.
  void know_hook(std::chrono::seconds timeout) {
    cloud.add_hook(test::group, drain_hook, timeout);
    know_hooks();
  }
  void know_hooks() { (void)sim.run(catalog.hooks(test::group, within(5s))); }
  [[nodiscard]] std::vector<Duration> beats_of(int n) const {
    std::vector<Duration> times;
    for (const auto& call : script.calls_of("cloud.heartbeat")) {
      if (call.what == instance(n).str()) times.push_back(call.at - begin);
    }
    return times;
  }

  HookCatalog catalog{context, cloud};
  Heartbeats heartbeats{context, cloud, catalog, calls};
  Scope loops{sim.clock, sim.log};
};

TEST(Heartbeats, TheGapIsAlwaysUnderHalfOfTheTimeout) {
  BeatingWorld world;
  world.know_hook(300s);
  const LifecycleAction action = world.keep(1);
  world.sim.clock.advance(3h);
  const auto beats = world.beats_of(1);
  ASSERT_GT(beats.size(), 70U);
  Duration before = 0s;
  for (const Duration at : beats) {
    EXPECT_LT(at - before, 150s);
    EXPECT_GT(at - before, 100s);
    before = at;
  }
  EXPECT_TRUE(world.cloud.waits(action));
}

TEST(Heartbeats, ATimeoutOfZeroIsNotTakenAtItsWord) {
  BeatingWorld world;
  world.know_hook(0s);
  world.keep(1);
  world.sim.clock.advance(10s);
  EXPECT_LE(world.beats_of(1).size(), 60U);
}

TEST(Heartbeats, ManyActionsDoNotStayInStep) {
  BeatingWorld world;
  world.know_hook(300s);
  world.keep(1);
  world.keep(2);
  world.sim.clock.advance(1h);
  EXPECT_NE(world.beats_of(1).back(), world.beats_of(2).back());
}

TEST(Heartbeats, AnEventThatWaitedInTheQueueIsBeatenAtOnce) {
  BeatingWorld world;
  world.know_hook(300s);
  const LifecycleAction action = *terminate_event(1).action;
  world.cloud.wait_for(action);
  world.heartbeats.add(action, world.sim.clock.wall() - 280s);
  world.sim.clock.advance(1s);
  EXPECT_EQ(world.beats_of(1).size(), 1U);
}

TEST(Heartbeats, AnUnknownHookIsTakenForThirtySecondsUntilItIsKnown) {
  BeatingWorld world;
  world.script.fail("cloud.hooks", Error(Fault::throttled, "slow down"));
  world.cloud.add_hook(test::group, drain_hook, 3600s);
  world.keep(1);
  world.sim.clock.advance(2min);
  const std::size_t unknown = world.beats_of(1).size();
  EXPECT_GE(unknown, 8U);
  world.script.heal("cloud.hooks");
  world.sim.clock.advance(20min);
  EXPECT_LE(world.beats_of(1).size(), unknown + 2);
}

TEST(Heartbeats, AHookThatBecomesKnownIsBeatenByItsOwnTimeout) {
  BeatingWorld world;
  world.cloud.add_hook(test::group, drain_hook, 300s);
  world.keep(1);
  world.know_hooks();
  world.heartbeats.hooks_known();
  world.sim.clock.advance(135s);
  ASSERT_EQ(world.beats_of(1).size(), 1U);
  EXPECT_GT(world.beats_of(1).front(), 100s);
}

TEST(Heartbeats, AFailureIsRetriedBeforeTheHookExpires) {
  BeatingWorld world;
  world.know_hook(30s);
  const LifecycleAction action = world.keep(1);
  for (int nth = 1; nth <= 4; ++nth) world.script.fail("cloud.heartbeat", Error(Fault::throttled, "x"), nth);
  world.sim.clock.advance(29s);
  EXPECT_GE(world.beats_of(1).size(), 5U);
  world.sim.clock.advance(10min);
  EXPECT_TRUE(world.cloud.waits(action));
  EXPECT_EQ(world.metrics.heartbeats_failed.value(), 4U);
}

TEST(Heartbeats, ACallThatHangsIsGivenUpInTimeForAnother) {
  BeatingWorld world;
  world.know_hook(30s);
  const LifecycleAction action = world.keep(1);
  world.script.hang("cloud.heartbeat", 1);
  world.sim.clock.advance(1min);
  EXPECT_TRUE(world.cloud.waits(action));
}

TEST(Heartbeats, CallsThatHangDelayNoOther) {
  BeatingWorld world;
  world.know_hook(300s);
  for (int nth = 1; nth <= 8; ++nth) world.script.hang("cloud.heartbeat", nth);
  for (int n = 1; n <= 20; ++n) world.keep(n);
  world.sim.clock.advance(121s);
  for (int n = 1; n <= 20; ++n) EXPECT_EQ(world.beats_of(n).size(), 1U) << n;
}

TEST(Heartbeats, NearestToExpiryGoesFirstWhenManyAreDue) {
  BeatingWorld world;
  world.know_hook(300s);
  world.script.set_latency("cloud.heartbeat", 1s);
  for (int n = 1; n <= 100; ++n) {
    const LifecycleAction action = *terminate_event(n).action;
    world.cloud.wait_for(action);
    world.heartbeats.add(action, world.sim.clock.wall() - 150s - std::chrono::seconds{n});
  }
  world.sim.clock.advance(5s);
  const auto beats = world.script.calls_of("cloud.heartbeat");
  ASSERT_EQ(beats.size(), 100U);
  EXPECT_EQ(beats.front().what, instance(100).str());
  EXPECT_EQ(beats.back().what, instance(1).str());
}

TEST(Heartbeats, WhenNothingWaitsAnyMoreTheActionIsOverAndNotBeatenAgain) {
  BeatingWorld world;
  world.know_hook(300s);
  const LifecycleAction action = world.keep(1);
  world.cloud.end_wait(action);
  world.sim.clock.advance(2h);
  EXPECT_TRUE(world.heartbeats.over(action));
  EXPECT_EQ(world.beats_of(1).size(), 1U);
  EXPECT_EQ(world.sim.logs.with("lifecycle_action.over").size(), 1U);
}

TEST(Heartbeats, AWrongTokenIsDroppedWhileTheInstanceStillWaits) {
  BeatingWorld world;
  world.know_hook(300s);
  LifecycleAction action = *terminate_event(1).action;
  world.cloud.wait_for(action);
  action.token = "stale";
  world.heartbeats.add(action, world.sim.clock.wall());
  world.sim.clock.advance(1h);
  EXPECT_FALSE(world.heartbeats.over(action));
  EXPECT_TRUE(world.cloud.waits(*terminate_event(1).action));
}

TEST(Heartbeats, WhileOnlyAnotherHookHoldsTheInstanceOursIsOver) {
  BeatingWorld world;
  world.cloud.add_hook(test::group, drain_hook, 300s);
  world.cloud.add_hook(test::group, "backup-hook", 7200s);
  world.know_hooks();
  world.cloud.wait_for(*terminate_event(1, "backup-hook").action);
  const LifecycleAction action = world.keep(1);
  world.cloud.end_wait(action);
  world.sim.clock.advance(1h);
  EXPECT_TRUE(world.heartbeats.over(action));
  EXPECT_LE(world.beats_of(1).size(), 3U);
}

TEST(Heartbeats, AnUnansweredLookLeavesTheActionAlive) {
  BeatingWorld world;
  world.know_hook(300s);
  const LifecycleAction action = world.keep(1);
  world.script.fail("cloud.heartbeat", Error(Fault::invalid, "ValidationError", "odd"), 1);
  world.script.fail("cloud.group_members", Error(Fault::throttled, "slow down"));
  world.sim.clock.advance(1h);
  EXPECT_FALSE(world.heartbeats.over(action));
  EXPECT_TRUE(world.cloud.waits(action));
}

TEST(Heartbeats, ARowMayBeRemovedWhileItsCallIsInFlight) {
  BeatingWorld world;
  world.know_hook(300s);
  world.script.set_latency("cloud.heartbeat", 5s);
  const LifecycleAction action = world.keep(1);
  world.keep(2);
  world.sim.clock.advance(122s);
  world.heartbeats.remove(action);
  world.sim.clock.advance(1h);
  EXPECT_EQ(world.beats_of(1).size(), 1U);
  EXPECT_GT(world.beats_of(2).size(), 20U);
  EXPECT_EQ(world.heartbeats.size(), 1U);
}

TEST(Heartbeats, RowsRemovedBeforeTheirCallsStartDoNotStopTheLoop) {
  BeatingWorld world;
  world.know_hook(300s);
  world.script.set_latency("cloud.heartbeat", 5s);
  for (int n = 1; n <= 40; ++n) world.keep(n);
  world.sim.clock.advance(121s);
  for (int n = 1; n <= 39; ++n) world.heartbeats.remove(*terminate_event(n).action);
  world.sim.clock.advance(2h);
  EXPECT_GT(world.beats_of(40).size(), 40U);
}

TEST(Heartbeats, ABrokenPortCostsOneBeatNotTheAction) {
  BeatingWorld world;
  world.know_hook(300s);
  const LifecycleAction action = world.keep(1);
  world.script.break_at("cloud.heartbeat", 1);
  world.sim.clock.advance(1h);
  EXPECT_TRUE(world.cloud.waits(action));
  EXPECT_EQ(world.sim.logs.with("task.failed").size(), 1U);
}

TEST(HookCatalog, ManyAskersCostOneCall) {
  BeatingWorld world;
  world.cloud.add_hook(test::group, drain_hook, 300s);
  for (int n = 0; n < 50; ++n) {
    world.calls.spawn("asker", [](HookCatalog& catalog, Deadline deadline) -> Task<void> {
      const auto hooks = co_await catalog.hooks(test::group, deadline);
      EXPECT_TRUE(hooks && hooks->size() == 1);
    }(world.catalog, world.within(5s)));
  }
  world.sim.clock.advance(10s);
  EXPECT_EQ(world.script.count("cloud.hooks"), 1U);
}

TEST(HookCatalog, AnOldAnswerServesWhileNoNewOneComes) {
  BeatingWorld world;
  world.know_hook(300s);
  world.sim.clock.advance(11min);
  world.script.hang("cloud.hooks");
  const auto hooks = world.sim.run(world.catalog.hooks(test::group, world.within(3s)));
  ASSERT_TRUE(hooks);
  EXPECT_EQ(hooks->front().heartbeat_timeout, 300s);
}

TEST(HookCatalog, AnErrorIsNotRemembered) {
  BeatingWorld world;
  world.cloud.add_hook(test::group, drain_hook, 300s);
  world.script.fail("cloud.hooks", Error(Fault::throttled, "slow down"), 1);
  EXPECT_FALSE(world.sim.run(world.catalog.hooks(test::group, world.within(3s))));
  EXPECT_TRUE(world.sim.run(world.catalog.hooks(test::group, world.within(3s))));
}

TEST(HookCatalog, ACancelledAskerDoesNotStrandTheOthers) {
  BeatingWorld world;
  world.cloud.add_hook(test::group, drain_hook, 300s);
  world.script.hang("cloud.hooks", 1);
  Scope first(world.sim.clock, world.sim.log);
  first.spawn("asker", [](HookCatalog& catalog, Deadline deadline) -> Task<void> {
    (void)co_await catalog.hooks(test::group, deadline);
  }(world.catalog, world.within(1h)));
  world.sim.clock.advance(1s);
  first.cancel();
  EXPECT_TRUE(world.sim.run(world.catalog.hooks(test::group, world.within(3s))));
}

}  // namespace
}  // namespace ferryman::termination
