// SPDX-License-Identifier: Apache-2.0
#include "net/rate_limiter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/simulation.h"

namespace ferryman::net {
namespace {

using namespace std::chrono_literals;
using ferryman::test::Simulation;

class LimitedCalls {
 public:
  LimitedCalls(double burst, double per_second) : limiter(sim.clock, burst, per_second) {}
  ~LimitedCalls() {
    sim.scope.cancel();
    sim.clock.advance(0s);
  }
  LimitedCalls(const LimitedCalls&) = delete;
  LimitedCalls& operator=(const LimitedCalls&) = delete;

  void start(const std::string& name, Duration within, int rank = 0) {
    sim.scope.spawn(name, call(name, within, rank));
  }
  /// Starts `calls` and gives the seconds until the last one passed.
  double time_for(int calls) {
    for (int i = 0; i < calls; ++i) start("call", 1h);
    const std::size_t end = passed.size() + static_cast<std::size_t>(calls);
    const SteadyTime before = sim.clock.now();
    sim.clock.run([&] { return passed.size() == end; }, sim.clock.now() + 24h);
    return seconds(sim.clock.now() - before);
  }

  Simulation sim;
  RateLimiter limiter;
  std::vector<std::string> passed;
  std::vector<std::string> refused;

 private:
  Task<void> call(std::string name, Duration within, int rank) {
    const auto turn = co_await limiter.take(Deadline::after(sim.clock, within), rank);
    if (!turn) EXPECT_EQ(turn.error().fault, Fault::throttled);
    (turn ? passed : refused).push_back(name);
  }
};

TEST(RateLimiter, LetsTheBurstThroughAndThenOneAtATime) {
  LimitedCalls calls(5, 2);
  EXPECT_EQ(calls.time_for(5), 0);
  EXPECT_NEAR(calls.time_for(6), 3.0, 0.01);
}

TEST(RateLimiter, ServesInTheOrderOfArrival) {
  LimitedCalls calls(1, 1);
  for (const char* name : {"a", "b", "c", "d"}) calls.start(name, 1h);
  calls.sim.clock.advance(10s);
  EXPECT_EQ(calls.passed, (std::vector<std::string>{"a", "b", "c", "d"}));
}

TEST(RateLimiter, TheMoreUrgentPassFirst) {
  LimitedCalls calls(1, 1);
  calls.start("first", 1h);
  calls.start("read", 1h, 0);
  calls.start("completion", 1h, 1);
  calls.sim.clock.advance(500ms);
  calls.start("heartbeat", 1h, 2);
  calls.sim.clock.advance(10s);
  EXPECT_EQ(calls.passed, (std::vector<std::string>{"first", "heartbeat", "completion", "read"}));
}

TEST(RateLimiter, WhatIsUrgentIsNotRefusedForWhatIsNot) {
  LimitedCalls calls(1, 1);
  for (int i = 0; i < 20; ++i) calls.start("read", 1h);
  calls.sim.clock.advance(100ms);
  calls.start("heartbeat", 2s, 2);
  calls.sim.clock.advance(1s);
  EXPECT_TRUE(calls.refused.empty());
  EXPECT_EQ(calls.passed, (std::vector<std::string>{"read", "heartbeat"}));
}

TEST(RateLimiter, NobodyStarves) {
  LimitedCalls calls(1, 1);
  for (int i = 0; i < 30; ++i) calls.start("completion", 1h, 1);
  calls.start("read", 1h, 0);
  calls.sim.clock.advance(10s);
  EXPECT_EQ(std::count(calls.passed.begin(), calls.passed.end(), "read"), 1);
  EXPECT_GE(calls.passed.size(), 10U);
}

TEST(RateLimiter, RefusesAtOnceWhatCannotHaveItsTurnInTime) {
  LimitedCalls calls(1, 1);
  calls.start("now", 1h);
  calls.start("second", 1h);
  calls.start("hasty", 1500ms);
  calls.sim.clock.advance(0s);
  EXPECT_EQ(calls.refused, std::vector<std::string>{"hasty"});
  calls.sim.clock.advance(1s);
  EXPECT_EQ(calls.passed, (std::vector<std::string>{"now", "second"}));
}

TEST(RateLimiter, AnUnusedBucketHoldsNoMoreThanTheBurst) {
  LimitedCalls calls(3, 1);
  calls.sim.clock.advance(1h);
  EXPECT_NEAR(calls.time_for(5), 2.0, 0.01);
}

TEST(RateLimiter, ThrottlingHalvesTheRateOnceForCallsOnTheirWayTogether) {
  LimitedCalls calls(10, 10);
  calls.limiter.slow_down();
  calls.limiter.slow_down();
  EXPECT_NEAR(calls.limiter.rate(), 5.0, 0.01);
  EXPECT_GT(calls.time_for(10), 1.5);
}

TEST(RateLimiter, NeverFallsBelowATenthAndRecoversWithinAMinute) {
  LimitedCalls calls(10, 10);
  for (int i = 0; i < 20; ++i) {
    calls.limiter.slow_down();
    calls.sim.clock.advance(1s);
  }
  EXPECT_GE(calls.limiter.rate(), 1.0);
  EXPECT_LT(calls.limiter.rate(), 2.0);
  calls.sim.clock.advance(1min);
  EXPECT_EQ(calls.limiter.rate(), 10.0);
}

TEST(RateLimiter, ACancelledWaiterLeavesItsPlaceToTheNext) {
  LimitedCalls calls(1, 1);
  Scope other(calls.sim.clock, calls.sim.log);
  calls.start("first", 1h);
  calls.sim.clock.advance(0s);
  other.spawn("cancelled", [](RateLimiter& limiter, Clock& clock) -> Task<void> {
    (void)co_await limiter.take(Deadline::after(clock, 1h));
  }(calls.limiter, calls.sim.clock));
  calls.sim.clock.advance(0s);
  calls.start("next", 1h);
  calls.sim.clock.advance(500ms);
  other.cancel();
  calls.sim.clock.advance(600ms);
  EXPECT_EQ(calls.passed, (std::vector<std::string>{"first", "next"}));
}

}  // namespace
}  // namespace ferryman::net
