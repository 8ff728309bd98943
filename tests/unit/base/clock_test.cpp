// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/simulation.h"

namespace ferryman {
namespace {

using namespace std::chrono_literals;
using test::Simulation;

TEST(SimulatedClock, ADaysSleepTakesNoTime) {
  Simulation sim;
  const SteadyTime before = sim.clock.now();
  sim.run(sim.clock.sleep_for(23h));
  EXPECT_EQ(sim.clock.now() - before, 23h);
}

TEST(SimulatedClock, WallTimeGoesWithSteadyTime) {
  Simulation sim;
  sim.clock.advance(90s);
  EXPECT_EQ(format_rfc3339(sim.clock.wall()), "2026-03-01T12:01:30Z");
}

Task<void> note_after(Clock& clock, Duration wait, std::string name, std::vector<std::string>& order) {
  co_await clock.sleep_for(wait);
  order.push_back(std::move(name));
}

TEST(SimulatedClock, SleepersWakeInTheOrderOfTheirTimes) {
  Simulation sim;
  std::vector<std::string> order;
  sim.scope.spawn("late", note_after(sim.clock, 20s, "late", order));
  sim.scope.spawn("early", note_after(sim.clock, 10s, "early", order));
  sim.clock.advance(30s);
  EXPECT_EQ(order, (std::vector<std::string>{"early", "late"}));
}

TEST(Signal, WakesAllWhoWait) {
  Simulation sim;
  Signal signal(sim.clock);
  int woken = 0;
  for (int i = 0; i < 3; ++i) {
    sim.scope.spawn("waiter", [](Signal& s, SteadyTime until, int& count) -> Task<void> {
      if (co_await s.wait_until(until)) ++count;
    }(signal, sim.clock.now() + 1h, woken));
  }
  sim.clock.advance(1s);
  signal.notify_all();
  sim.clock.advance(0s);
  EXPECT_EQ(woken, 3);
}

TEST(Signal, ReportsThatTheTimeCameFirst) {
  Simulation sim;
  Signal signal(sim.clock);
  EXPECT_FALSE(sim.run(signal.wait_until(sim.clock.now() + 5s)));
}

TEST(Scope, CancelReachesASleeperAndLeavesNoneBehind) {
  Simulation sim;
  std::vector<std::string> order;
  sim.scope.spawn("sleeper", note_after(sim.clock, 1h, "never", order));
  sim.clock.advance(1s);
  sim.scope.cancel();
  sim.clock.advance(0s);
  EXPECT_EQ(sim.scope.size(), 0U);
  EXPECT_EQ(sim.clock.sleepers(), 0U);
  EXPECT_TRUE(order.empty());
}

Task<void> set_flag(bool& flag) {
  flag = true;
  co_return;
}

Task<bool> flag_after_spawn(Scope& scope, bool& flag) {
  scope.spawn("setter", set_flag(flag));
  co_return flag;
}

TEST(Scope, AChildStartsAfterTheTurnThatSpawnedIt) {
  Simulation sim;
  bool flag = false;
  EXPECT_FALSE(sim.run(flag_after_spawn(sim.scope, flag)));
  sim.clock.advance(0s);
  EXPECT_TRUE(flag);
}

TEST(Scope, AChildCancelledBeforeItsFirstTurnNeverStarts) {
  Simulation sim;
  bool flag = false;
  sim.scope.spawn("setter", set_flag(flag));
  sim.scope.cancel();
  sim.clock.advance(0s);
  EXPECT_FALSE(flag);
  EXPECT_EQ(sim.scope.size(), 0U);
  EXPECT_EQ(sim.scope.failures(), 0U);
}

TEST(Scope, AChildThatThrowsIsLoggedAndHarmsNobody) {
  Simulation sim;
  sim.scope.spawn("broken", []() -> Task<void> {
    throw std::runtime_error("boom");
    co_return;
  }());
  sim.clock.advance(1s);
  EXPECT_EQ(sim.scope.failures(), 1U);
  EXPECT_EQ(sim.logs.with("task.failed task=broken error=boom").size(), 1U);
}

Task<void> fail_twice(Clock& clock, int& starts) {
  if (++starts <= 2) throw std::runtime_error("boom");
  co_await clock.sleep_for(1h);
}

TEST(Scope, ALoopThatThrowsStartsAgainASecondLater) {
  Simulation sim;
  int starts = 0;
  sim.scope.spawn_loop("loop", [&] { return fail_twice(sim.clock, starts); });
  sim.clock.advance(1500ms);
  EXPECT_EQ(starts, 2);
  sim.clock.advance(10s);
  EXPECT_EQ(starts, 3);
  EXPECT_EQ(sim.scope.failures(), 2U);
  EXPECT_EQ(sim.logs.with("task.failed task=loop error=boom").size(), 2U);
  sim.scope.cancel();
  sim.clock.advance(0s);
  EXPECT_EQ(sim.scope.size(), 0U);
}

TEST(Scope, JoinGivesUpAtItsDeadline) {
  Simulation sim;
  Scope scope(sim.clock, sim.log);
  std::vector<std::string> order;
  scope.spawn("sleeper", note_after(sim.clock, 1h, "x", order));
  EXPECT_FALSE(sim.run(scope.join(Deadline::after(sim.clock, 10s))));
  scope.cancel();
  EXPECT_TRUE(sim.run(scope.join(Deadline::after(sim.clock, 10s))));
}

}  // namespace
}  // namespace ferryman
