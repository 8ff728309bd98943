// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/complete_step.h"

#include <gtest/gtest.h>

#include "unit/termination/world.h"

namespace ferryman::termination::steps {
namespace {

using namespace std::chrono_literals;
using test::terminate_event;

class CompletingWorld : public test::World {
 public:
  CompletingWorld() { cloud.wait_for(action); }

  Completion complete(Duration longest = 1h) {
    return sim.run(step.run(action, CompletionResult::proceed, within(longest)));
  }

  LifecycleAction action = *terminate_event(1).action;
  CompleteStep step{context, cloud, sim.log};
};

TEST(CompleteStep, OneCallEndsTheWait) {
  CompletingWorld world;
  EXPECT_EQ(world.complete(), Completion::accepted);
  EXPECT_EQ(world.script.count("cloud.complete"), 1U);
  EXPECT_FALSE(world.cloud.waits(world.action));
  EXPECT_EQ(world.metrics.completions.value(), 1U);
}

TEST(CompleteStep, ALostAnswerIsAskedAgainAndTheWaitFoundOver) {
  CompletingWorld world;
  world.script.lose_answer("cloud.complete", 1);
  EXPECT_EQ(world.complete(), Completion::over);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.script.count("cloud.complete"), 2U);
}

TEST(CompleteStep, AWrongTokenIsLeftOutTheSecondTime) {
  CompletingWorld world;
  world.action.token = "stale";
  EXPECT_EQ(world.complete(), Completion::accepted);
  EXPECT_EQ(world.script.count("cloud.complete"), 2U);
  EXPECT_EQ(world.cloud.completions.front(), test::instance(1).str() + " drain-hook ");
}

TEST(CompleteStep, AnotherHooksWaitDoesNotKeepUsTrying) {
  CompletingWorld world;
  world.cloud.wait_for(*terminate_event(1, "backup-hook").action);
  world.cloud.end_wait(world.action);
  EXPECT_EQ(world.complete(), Completion::over);
  EXPECT_EQ(world.script.count("cloud.complete"), 2U);
  EXPECT_TRUE(world.cloud.completions.empty());
  EXPECT_LT(world.elapsed(), 5s);
}

TEST(CompleteStep, AnInstanceThatIsGoneIsOver) {
  CompletingWorld world;
  world.action = *terminate_event(2).action;
  EXPECT_EQ(world.complete(), Completion::over);
}

TEST(CompleteStep, WhileTheLookFailsItTriesOn) {
  CompletingWorld world;
  world.script.fail("cloud.complete", Error(Fault::invalid, "ValidationError", "odd"), 1);
  world.script.fail("cloud.group_members", Error(Fault::throttled, "slow down"), 1);
  EXPECT_EQ(world.complete(), Completion::accepted);
  EXPECT_EQ(world.cloud.completions.front(), test::instance(1).str() + " drain-hook token-1-drain-hook");
}

TEST(CompleteStep, TroubleOfAnyLengthIsOutlasted) {
  CompletingWorld world;
  world.cloud.add_hook(test::group, test::drain_hook, 7200s);
  world.cloud.wait_for(world.action);
  for (int nth = 1; nth <= 60; ++nth) world.script.fail("cloud.complete", Error(Fault::throttled, "x"), nth);
  world.script.hang("cloud.complete", 61);
  EXPECT_EQ(world.complete(), Completion::accepted);
}

TEST(CompleteStep, ADeniedCallIsRetriedUntilTheDeadlineThenLostAloud) {
  CompletingWorld world;
  world.script.fail("cloud.complete", Error(Fault::denied, "AccessDenied", "no CompleteLifecycleAction"));
  EXPECT_EQ(world.complete(10min), Completion::lost);
  EXPECT_GT(world.script.count("cloud.complete"), 20U);
  EXPECT_GT(world.elapsed(), 9min);
  EXPECT_LE(world.elapsed(), 10min);
  const auto lost = world.sim.logs.with("completion.lost");
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_NE(lost.front().find(" error "), std::string::npos) << lost.front();
}

TEST(CompleteStep, APassedDeadlineStillGetsOneTry) {
  CompletingWorld world;
  EXPECT_EQ(world.complete(-1h), Completion::accepted);
}

}  // namespace
}  // namespace ferryman::termination::steps
