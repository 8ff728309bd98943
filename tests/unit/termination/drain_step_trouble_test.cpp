// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/termination/draining_world.h"

namespace ferryman::termination::steps {
namespace {

using namespace std::chrono_literals;
using test::DrainingWorld;
using test::FakePod;
using test::node_name;

TEST(DrainTrouble, AFailedListIsNoProof) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.fail("cluster.refresh", Error(Fault::transport, "reset"), 1);
  world.script.hang("cluster.refresh", 2);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.refresh"), 3U);
}

TEST(DrainTrouble, WithoutAnyProofUntilTheDeadlineTheNodeDoesNotCountAsEmpty) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.fail("cluster.refresh", Error(Fault::transport, "reset"));
  const DrainOutcome outcome = world.drain();
  EXPECT_FALSE(outcome.empty);
  ASSERT_EQ(outcome.report.left.size(), 1U);
  EXPECT_NE(outcome.report.left.front().find("not confirmed"), std::string::npos)
      << outcome.report.left.front();
  EXPECT_LE(world.elapsed(), 10min);
}

TEST(DrainTrouble, TheProofIsAskedForWithGrowingPausesAndAMissingRightIsSaidOnce) {
  DrainingWorld world;
  world.script.fail("cluster.refresh", Error(Fault::denied, "Forbidden", "may not list pods"));
  EXPECT_FALSE(world.drain().empty);
  EXPECT_LE(world.elapsed(), 10min);
  EXPECT_GT(world.script.count("cluster.refresh"), 40U);
  EXPECT_LT(world.script.count("cluster.refresh"), 100U);
  EXPECT_GE(world.script.calls_of("cluster.refresh").back().at, world.begin + 10min - 11s);
  auto said = world.sim.logs.with("pods.not_listed");
  EXPECT_NE(said.front().find("grant"), std::string::npos);
  std::erase_if(said, [](const std::string& line) { return line.find("warn") == std::string::npos; });
  EXPECT_EQ(said.size(), 1U);
}

// Jobs leave thousands of them behind.
TEST(DrainTrouble, FinishedPodsTakeNoPlaceFromThoseThatRun) {
  DrainingWorld world;
  for (int n = 0; n < 300; ++n) {
    FakePod done = world.pod("a-job-" + std::to_string(n));
    done.pod.phase = "Succeeded";
    world.cluster.add_pod(done);
  }
  for (int n = 0; n < 5; ++n) world.cluster.add_pod(world.pod("web-" + std::to_string(n)));
  world.drain_beside();
  world.sim.clock.advance(8ms);
  const auto asked = world.script.calls_of("cluster.evict");
  ASSERT_GE(asked.size(), 5U);
  for (std::size_t n = 0; n < 5; ++n) EXPECT_TRUE(asked.at(n).what.starts_with("web-")) << asked.at(n).what;
}

TEST(DrainTrouble, APodThatTheWatchMissesIsFoundByTheRegularList) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").ends_after(5s));
  world.drain_beside();
  world.sim.clock.advance(1s);
  world.cluster.watch_works = false;
  world.sim.clock.advance(40s);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
}

TEST(DrainTrouble, AnEvictionThatHangsStopsNoOther) {
  DrainingWorld world;
  for (int n = 0; n < 30; ++n) world.cluster.add_pod(world.pod("web-" + std::to_string(n)));
  for (int nth = 1; nth <= 5; ++nth) world.script.hang("cluster.evict", nth);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_LT(world.elapsed(), 20s);
  std::size_t in_the_first_second = 0;
  for (const auto& call : world.script.calls_of("cluster.evict"))
    in_the_first_second += call.at < world.begin + 1s;
  EXPECT_EQ(in_the_first_second, 30U);
}

TEST(DrainTrouble, AnEvictionWhoseAnswerIsLostIsNoticedByTheWatch) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").ends_after(20s));
  world.script.lose_answer("cluster.evict", 1);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
}

TEST(DrainTrouble, AnAcceptedEvictionThatDoesNotEvenBeginIsAskedAgain) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.pretend("cluster.evict", 1);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
  EXPECT_LT(world.elapsed(), 20s);
}

TEST(DrainTrouble, AnApiServerThatIsAwayAtTheStartIsWaitedFor) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  for (int nth = 1; nth <= 5; ++nth)
    world.script.fail("cluster.view_pods", Error(Fault::transport, "x"), nth);
  world.script.hang("cluster.view_pods", 6);
  EXPECT_TRUE(world.drain().empty);
}

// The instance was terminated behind our back, and its address is another one's by now.
TEST(DrainTrouble, PodsOfAnotherInstanceWhoseNodeHasTheNameAreLeftAlone) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").ends_after(40s));
  world.drain_beside();
  world.sim.clock.advance(10s);
  Node other = test::node_of(2);
  other.name = node_name(1);
  other.uid = Uid("another");
  world.cluster.remove_node(node_name(1));
  world.cluster.add_node(other);
  world.cluster.add_pod(world.pod("newcomer"));
  world.sim.clock.advance(1min);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
  EXPECT_TRUE(world.cluster.has_pod("newcomer"));
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
}

// A Deployment that tolerates every taint is placed on the cordoned node again.
TEST(DrainTrouble, APodThatIsPutBackAgainAndAgainIsNamedAndLeft) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-0").ends_after(1s));
  world.drain_beside();
  int n = 0;
  for (int half = 0; half < 240 && !world.result; ++half) {
    world.sim.clock.advance(500ms);
    if (std::ranges::all_of(world.cluster.pods_on(node_name(1)), &Pod::terminating))
      world.cluster.add_pod(world.pod("web-" + std::to_string(++n)).ends_after(1s));
  }
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
  EXPECT_LE(world.script.count("cluster.evict"), 8U);
  EXPECT_EQ(world.result->report.refused, 1U);
  EXPECT_EQ(world.sim.logs.with("pod.kept").size(), 1U);
}

// They were bound before the cordon.
TEST(DrainTrouble, ManyPodsOfOneControllerThatComeLateAllGo) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-0").ends_after(1s));
  world.drain_beside();
  world.sim.clock.advance(3s);
  for (int n = 1; n <= 20; ++n) world.cluster.add_pod(world.pod("web-" + std::to_string(n)));
  world.sim.clock.advance(1min);
  ASSERT_TRUE(world.result);
  EXPECT_EQ(world.result->report.gone, 21U);
}

TEST(DrainTrouble, WhatWaitsForAListSaysSo) {
  DrainingWorld world;
  world.script.fail("cluster.refresh", Error(Fault::transport, "connection refused"));
  world.drain_beside();
  world.sim.clock.advance(20s);
  ASSERT_EQ(world.step->waits_for().size(), 1U);
  EXPECT_EQ(world.step->waits_for().front(), "a list of its pods: connection refused");
  world.script.heal("cluster.refresh");
  world.sim.clock.advance(15s);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.step->waits_for().empty());
}

TEST(DrainTrouble, AnApiServerThatStaysAwayIsNamedAtTheDeadline) {
  DrainingWorld world;
  world.script.hang("cluster.view_pods");
  const DrainOutcome outcome = world.drain();
  EXPECT_FALSE(outcome.empty);
  EXPECT_EQ(outcome.report.left.size(), 1U);
  EXPECT_LE(world.elapsed(), 10min);
}

TEST(DrainTrouble, AnApiServerThatGoesAwayMidWayIsOutlasted) {
  DrainingWorld world;
  for (int n = 0; n < 5; ++n) world.cluster.add_pod(world.pod("web-" + std::to_string(n)).refused(2));
  world.drain_beside();
  world.sim.clock.advance(1s);
  const char* all[] = {"cluster.evict", "cluster.refresh", "cluster.delete_pod"};
  for (const char* operation : all) world.script.fail(operation, Error(Fault::transport, "refused"));
  world.sim.clock.advance(3min);
  EXPECT_FALSE(world.result);
  for (const char* operation : all) world.script.heal(operation);
  world.sim.clock.advance(1min);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
  EXPECT_EQ(world.script.count("cluster.delete_pod"), 0U);
}

TEST(DrainTrouble, ABrokenPortCostsOneEvictionNotTheDrain) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.break_at("cluster.evict", 1);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_LT(world.elapsed(), 1min);
  EXPECT_EQ(world.sim.logs.with("task.failed").size(), 1U);
}

// Thousands of calls at once would cost memory here and throttling at the API server.
TEST(DrainTrouble, AllDrainsTogetherHaveABoundedNumberOfCallsUnderWay) {
  DrainingWorld world;
  world.script.set_latency("cluster.evict", 1s);
  for (int n = 0; n < 30; ++n) world.cluster.add_pod(world.pod("web-" + std::to_string(n)));
  for (std::size_t others = world.aids.slots.free() - 3; others > 0; --others) world.aids.slots.take();
  world.drain_beside();
  world.sim.clock.advance(900ms);
  EXPECT_EQ(world.script.count("cluster.evict"), 3U);
  world.aids.slots.give_back();
  world.sim.clock.advance(1ms);
  EXPECT_EQ(world.script.count("cluster.evict"), 4U) << "a slot that becomes free wakes who waits";
  world.sim.clock.advance(1min);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
}

TEST(DrainTrouble, CallsThatEndAfterTheDeadlineHarmNobody) {
  DrainingWorld world;
  world.plan.force_from = world.plan.deadline - 3s;
  world.cluster.add_pod(world.pod("stuck").refused(-1).ends_after(std::nullopt));
  world.script.hang("cluster.delete_pod");
  EXPECT_FALSE(world.drain().empty);
  world.step.reset();
  world.sim.clock.advance(1min);
  EXPECT_EQ(world.calls.size(), 0U);
  EXPECT_EQ(world.calls.failures(), 0U);
}

}  // namespace
}  // namespace ferryman::termination::steps
