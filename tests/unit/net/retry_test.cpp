// SPDX-License-Identifier: Apache-2.0
#include "net/retry.h"

#include <gtest/gtest.h>

#include "support/simulation.h"

namespace ferryman::net {
namespace {

using namespace std::chrono_literals;
using ferryman::test::Simulation;

BackOff policy_without_jitter() {
  BackOff policy;
  policy.first = 1s;
  policy.longest = 10s;
  policy.jitter = 0;
  policy.attempts = 4;
  return policy;
}

TEST(BackOff, DoublesUpToTheLongest) {
  Random random(1);
  const BackOff policy = policy_without_jitter();
  EXPECT_EQ(back_off(policy, 1, 0s, random), 1s);
  EXPECT_EQ(back_off(policy, 2, 0s, random), 2s);
  EXPECT_EQ(back_off(policy, 4, 0s, random), 8s);
  EXPECT_EQ(back_off(policy, 5, 0s, random), 10s);
  EXPECT_EQ(back_off(policy, 1'000'000, 0s, random), 10s);
}

TEST(BackOff, IsNeverShorterThanTheServiceAsks) {
  Random random(1);
  EXPECT_EQ(back_off(policy_without_jitter(), 1, 30s, random), 30s);
}

TEST(BackOff, JitterSpreadsAroundTheMiddle) {
  Random random(1);
  BackOff policy = policy_without_jitter();
  policy.jitter = 0.5;
  Duration least = 1h;
  Duration most = 0s;
  for (int i = 0; i < 200; ++i) {
    const Duration wait = back_off(policy, 2, 0s, random);
    least = std::min(least, wait);
    most = std::max(most, wait);
  }
  EXPECT_GE(least, 1s);
  EXPECT_LT(least, 1200ms);
  EXPECT_LE(most, 3s);
  EXPECT_GT(most, 2800ms);
}

/// A call that always fails, in the loop that the header shows. Gives the number of attempts.
Task<int> attempts_of(Simulation& sim, RetryBudget& budget, Error error, Deadline deadline) {
  Random random(1);
  Retry retry(sim.clock, random, budget, policy_without_jitter(), deadline);
  while (co_await retry.again(error)) {
  }
  co_return retry.attempt();
}

TEST(Retry, EndsAfterAllAttempts) {
  Simulation sim;
  RetryBudget budget;
  const SteadyTime before = sim.clock.now();
  const Error error(Fault::transport, "reset");
  EXPECT_EQ(sim.run(attempts_of(sim, budget, error, Deadline::after(sim.clock, 1h))), 4);
  EXPECT_EQ(sim.clock.now() - before, 1s + 2s + 4s);
}

TEST(Retry, AFinalErrorIsNotTriedAgain) {
  Simulation sim;
  RetryBudget budget;
  for (const Fault fault : {Fault::denied, Fault::invalid, Fault::not_found, Fault::conflict}) {
    EXPECT_EQ(sim.run(attempts_of(sim, budget, Error(fault, "no"), Deadline::after(sim.clock, 1h))), 1);
  }
}

TEST(Retry, DoesNotWaitWhenTheWaitWouldPassTheDeadline) {
  Simulation sim;
  RetryBudget budget;
  Error error(Fault::throttled, "slow down");
  error.retry_after = 30s;
  const SteadyTime before = sim.clock.now();
  EXPECT_EQ(sim.run(attempts_of(sim, budget, error, Deadline::after(sim.clock, 20s))), 1);
  EXPECT_EQ(sim.clock.now(), before);
}

TEST(RetryBudget, StopsRetriesOfAServiceThatIsDownAndRefillsWithSuccess) {
  Simulation sim;
  RetryBudget budget(2);
  const Error error(Fault::unexpected, "503");
  EXPECT_EQ(sim.run(attempts_of(sim, budget, error, Deadline::after(sim.clock, 1h))), 3);
  EXPECT_EQ(sim.run(attempts_of(sim, budget, error, Deadline::after(sim.clock, 1h))), 1);
  for (int i = 0; i < 11; ++i) budget.success();
  EXPECT_EQ(sim.run(attempts_of(sim, budget, error, Deadline::after(sim.clock, 1h))), 2);
}

}  // namespace
}  // namespace ferryman::net
