// SPDX-License-Identifier: Apache-2.0
#include "termination/engine.h"

#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;
using test::instance;
using test::node_name;
using test::terminate_event;

TEST(Engine, TakesOneNodeOutFromMessageToCompletion) {
  EngineWorld world;
  world.start();
  const Event event = world.ending_node(1);
  world.send("m", event);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions,
            std::vector<std::string>{instance(1).str() + " drain-hook token-1-drain-hook"});
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_TRUE(world.claim_of(1).closed);
  EXPECT_EQ(world.claim_of(1).steps, (std::vector<std::string>{"cordon", "drain", "complete"}));
  EXPECT_EQ(world.ended(TerminationResult::completed), 1U);
  EXPECT_EQ(world.engine->failures(), 0U);
  EXPECT_TRUE(world.engine->status().empty());
  ASSERT_EQ(world.engine->finished().size(), 1U);
  EXPECT_EQ(world.engine->finished().front().status.node, node_name(1));
}

TEST(Engine, DoesThingsInTheOrderThatLosesNothing) {
  EngineWorld world;
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(1min);
  const auto claimed = world.script.first("cluster.patch_node");
  const auto removed = world.script.first("queue.remove");
  const auto evicted = world.script.first("cluster.evict");
  const auto proven = world.script.first("cluster.refresh");
  const auto completed = world.script.first("cloud.complete");
  ASSERT_LT(completed, world.script.calls().size());
  EXPECT_LT(claimed, removed);
  EXPECT_LT(claimed, evicted);
  EXPECT_LT(evicted, proven);
  EXPECT_LT(proven, completed);
}

TEST(Engine, DeletesNoMessageWhileTheClaimIsNotDurable) {
  EngineWorld world;
  world.script.fail("cluster.patch_node", Error(Fault::transport, "connection refused"));
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(10min);
  EXPECT_TRUE(world.queue.holds("m"));
  EXPECT_FALSE(world.queue.visible("m"));
  EXPECT_EQ(world.script.count("queue.remove"), 0U);
  EXPECT_TRUE(world.cloud.waits(*terminate_event(1).action));
  world.script.heal("cluster.patch_node");
  world.run_for(1min);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Engine, TwoMessagesOfOneEventAreOneTerminationAndBothGo) {
  EngineWorld world;
  world.start();
  const Event event = world.ending_node(1);
  world.send("m", event);
  world.send("n", event);
  world.run_for(1min);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.engine->metrics().terminations_started.value(), 1U);
  EXPECT_GT(world.script.first("queue.remove"), world.script.first("cluster.patch_node"));
  world.send("later", event);
  world.run_for(5s);
  EXPECT_FALSE(world.queue.holds("later"));
  EXPECT_EQ(world.messages(MessageOutcome::repeated), 1U);
}

TEST(Engine, ASecondHooksEventJoinsAndBothAreCompletedAfterTheDrain) {
  EngineWorld world;
  world.cloud.add_hook(test::group, "second-hook", 60s);
  world.start();
  const Event event = world.ending_node(1);
  world.send("m", event);
  world.run_for(5s);
  const Event second = terminate_event(1, "second-hook");
  world.cloud.wait_for(*second.action);
  world.send("n", second);
  world.run_for(5s);
  EXPECT_EQ(world.engine->status().size(), 1U);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_EQ(world.claim_of(1).events.size(), 2U);
  EXPECT_EQ(world.engine->metrics().terminations_started.value(), 1U);
}

TEST(Engine, AnotherPartysHookStartsTheDrainButIsNeitherBeatenNorCompleted) {
  EngineWorld world;
  world.policy.hooks = {"ferryman-*"};
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(10min);
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
  EXPECT_EQ(world.script.count("cloud.heartbeat") + world.script.count("cloud.complete"), 0U);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(Engine, TheHookIsKeptAliveThroughALongDrain) {
  EngineWorld world;
  world.start();
  const Event event = world.ending_node(1);
  world.cluster.add_pod(test::FakePod("slow", node_name(1)).ends_after(40min));
  world.send("m", event);
  world.run_for(39min);
  EXPECT_TRUE(world.cloud.waits(*event.action));
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Engine, AtTheDeadlineWhatIsLeftIsNamedAndTheHookCompleted) {
  EngineWorld world;
  world.policy.max_termination_time = 10min;
  world.start();
  const Event event = world.ending_node(1);
  world.cluster.add_pod(test::FakePod("stuck", node_name(1)).ends_after(std::nullopt));
  world.send("m", event);
  world.run_for(9min + 50s);
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(15s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.ended(TerminationResult::cut_short), 1U);
  EXPECT_EQ(world.engine->metrics().pods_left.value(), 1U);
  const auto named = world.sim.logs.with("drain.cut_short");
  ASSERT_EQ(named.size(), 1U);
  EXPECT_NE(named.front().find("shop/stuck"), std::string::npos) << named.front();
}

// The second hook may wait less long than the first.
TEST(Engine, ALaterEventShortensTheDeadlineOfARunningDrain) {
  EngineWorld world;
  world.cloud.add_hook(test::group, "second-hook", 30s);
  world.start();
  const Event event = world.ending_node(1);
  world.cluster.add_pod(test::FakePod("stuck", node_name(1)).ends_after(std::nullopt));
  world.send("m", event);
  world.run_for(5min);
  const Event second = terminate_event(1, "second-hook");  // its event time is the simulation's start
  world.cloud.wait_for(*second.action);
  world.send("n", second);
  world.run_for(3000s - 5min - 10s);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
}

TEST(Engine, AllKnownNodesAreCordonedBeforeTheFirstEviction) {
  EngineWorld world;
  world.script.set_latency("cluster.patch_node", 300ms);
  world.start();
  for (int n = 1; n <= 8; ++n) world.send("m" + std::to_string(n), world.ending_node(n));
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 8U);
  const auto first_eviction = world.script.first("cluster.evict");
  for (int n = 1; n <= 8; ++n)
    EXPECT_LT(world.script.first("cluster.patch_node", node_name(n)), first_eviction);
}

TEST(Engine, ANodeThatCannotBeCordonedHoldsUpTheOthersForSecondsOnly) {
  EngineWorld world;
  world.script.hang("cluster.patch_node", 1);
  world.start();
  for (int n = 1; n <= 3; ++n) world.send("m" + std::to_string(n), world.ending_node(n));
  world.run_for(28s);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 3U);
}

TEST(Engine, ANodeThatDisappearsIsCompletedWithoutADrain) {
  EngineWorld world;
  world.script.set_latency("cluster.patch_node", 2s);
  world.start();
  const Event event = world.ending_node(1);
  world.send("m", event);
  world.run_for(1s);
  world.cluster.remove_node(node_name(1));
  world.run_for(10s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.ended(TerminationResult::node_gone), 1U);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(Engine, ALostCompletionIsNotCountedAsCompleted) {
  EngineWorld world;
  world.policy.max_termination_time = 10min;
  world.script.fail("cloud.complete", Error(Fault::denied, "AccessDenied", "no right"));
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(12h);
  EXPECT_EQ(world.ended(TerminationResult::completed), 0U);
  EXPECT_EQ(world.ended(TerminationResult::cut_short), 1U);
  EXPECT_EQ(world.sim.logs.with("completion.lost").size(), 1U);
}

TEST(Engine, WithoutTheRightToPatchNodesPodsAreDrainedAllTheSame) {
  EngineWorld world;
  world.script.fail("cluster.patch_node", Error(Fault::denied, "Forbidden", "cannot patch resource nodes"));
  world.start();
  world.send("m", world.ending_node(1));
  world.cluster.add_pod(test::FakePod("web", node_name(1)));
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
  EXPECT_LT(world.script.first("cluster.evict"), world.script.first("queue.remove"));
  EXPECT_EQ(world.ended(TerminationResult::completed), 1U);
  EXPECT_FALSE(world.queue.holds("m"));
}

// The write before the completion is a courtesy; the hook must not run out over it.
TEST(Engine, AnApiServerThatGoesAwayLateDoesNotHoldTheCompletionUp) {
  EngineWorld world;
  world.cloud.add_hook(test::group, "second-hook", 300s);
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(10s);
  const Event second = terminate_event(1, "second-hook");
  world.cloud.wait_for(*second.action);
  world.send("n", second);
  world.script.hang("cluster.patch_node");
  world.script.hang("cluster.read_node");
  world.run_for(40s);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  world.run_for(1min);
  EXPECT_EQ(world.queue.size(), 0U);
}

TEST(Engine, EveryNodeOfALargeWaveIsTakenOut) {
  EngineWorld world;
  world.start();
  for (int n = 1; n <= 60; ++n) world.send("m" + std::to_string(n), world.ending_node(n));
  world.run_for(5min);
  EXPECT_EQ(world.cloud.completions.size(), 60U);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_EQ(world.script.count("cloud.hooks"), 1U);
  EXPECT_EQ(world.script.count("cluster.evict"), 120U);
}

}  // namespace
}  // namespace ferryman::termination
