// SPDX-License-Identifier: Apache-2.0
#include "termination/cordon_barrier.h"

#include <gtest/gtest.h>

#include <optional>

#include "support/simulation.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::Simulation;

class Burst {
 public:
  [[nodiscard]] Duration since() const { return sim.clock.now() - begin; }
  Duration waited(Duration longest = 5s) {
    sim.run(barrier.wait(longest));
    return since();
  }
  /// A notice that comes then and takes so long to be cordoned.
  void notice(Duration after, Duration takes) { sim.scope.spawn("notice", cordon(after, takes)); }

  Simulation sim;
  SteadyTime begin = sim.clock.now();
  CordonBarrier barrier{sim.clock};

 private:
  Task<void> cordon(Duration after, Duration takes) {
    co_await sim.clock.sleep_for(after);
    const Cordoning cordoning(barrier);
    co_await sim.clock.sleep_for(takes);
  }
};

TEST(CordonBarrier, ALoneNodeWaitsForAMomentOnly) {
  Burst burst;
  burst.notice(0s, 20ms);
  burst.sim.clock.advance(20ms);
  EXPECT_EQ(burst.waited(), CordonBarrier::gathering);
}

TEST(CordonBarrier, NothingIsWaitedForLongAfterTheLastNotice) {
  Burst burst;
  burst.sim.clock.advance(10s);
  EXPECT_EQ(burst.waited(), 10s);
}

TEST(CordonBarrier, ABurstIsCordonedToItsEndBeforeTheFirstEviction) {
  Burst burst;
  for (int i = 0; i < 20; ++i) burst.notice(i * 100ms, 50ms);
  burst.sim.clock.advance(60ms);
  EXPECT_EQ(burst.waited(), 1900ms + CordonBarrier::gathering);
}

TEST(CordonBarrier, AStreamOfNoticesHoldsUpNobodyForLong) {
  Burst burst;
  for (int i = 0; i < 200; ++i) burst.notice(i * 100ms, 50ms);
  burst.sim.clock.advance(0s);
  EXPECT_EQ(burst.waited(5s), 5s);
}

TEST(CordonBarrier, ANodeThatCannotBeCordonedHoldsUpNobodyForLong) {
  Burst burst;
  burst.notice(0s, 1h);
  burst.sim.clock.advance(0s);
  EXPECT_EQ(burst.waited(5s), 5s);
}

TEST(CordonBarrier, TheEndOfASlowCordonIsEnough) {
  Burst burst;
  burst.notice(0s, 3s);
  burst.sim.clock.advance(0s);
  EXPECT_EQ(burst.waited(), 3s);
}

}  // namespace
}  // namespace ferryman::termination
