// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/termination/balanced_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::api;
using test::BalancedWorld;
using test::EngineWorld;
using test::FakePod;
using test::instance;
using test::node_name;
using test::web;

TEST(BalancersInTrouble, WithoutTheRightToListServicesPodsGoAtOnce) {
  BalancedWorld world;
  world.script.fail("cluster.local_services", Error(Fault::denied, "Forbidden", "cannot list services"));
  world.start();
  world.end(1);
  world.run_for(1min);
  world.end(2);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  EXPECT_EQ(world.sim.logs.with("services.unknown").size(), 1U);
}

TEST(BalancersInTrouble, ATargetThatComesBackIsDeregisteredAgainUntilThatIsHopeless) {
  BalancedWorld world;
  world.start();
  world.end(1);
  for (int i = 0; i < 100; ++i) {
    world.balancers.put(api, instance(1), 30080);  // another controller insists
    world.run_for(5s);
  }
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.script.calls_of("balancers.deregister").size(), 7U);  // web once, api 1 + 5 times
  EXPECT_EQ(world.sim.logs.with("target.keeps_coming_back").size(), 1U);
}

TEST(BalancersInTrouble, ABadTargetIsSplitOffAndTheOthersLeave) {
  BalancedWorld world;
  for (int n = 1; n <= 5; ++n) world.end(n);
  world.start();
  world.script.set_latency("balancers.deregister", 100ms);
  world.run_for(80ms);  // scanned; now EC2 forgets one of them
  world.balancers.set_unknown(instance(3));
  world.run_for(2min);
  for (const int n : {1, 2, 4, 5}) EXPECT_FALSE(world.held(n)) << n;
  EXPECT_EQ(world.cloud.completions.size(), 5U);
  EXPECT_LE(world.script.calls_of("balancers.deregister").size(), 2U * 6U);
}

TEST(BalancersInTrouble, RightsThatLackCostTheLabelOnlyAndHoldNoHook) {
  BalancedWorld world;
  const Error denied(Fault::denied, "AccessDenied", "not authorized to perform: DescribeTargetGroups");
  world.script.fail("balancers.groups", denied);
  world.script.fail("balancers.classic", denied);
  world.start();
  world.end(1);
  world.run_for(25s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_TRUE(world.claim_of(1).excluded);
  EXPECT_EQ(world.sim.logs.with("balancers.not_allowed").size(), 2U);
  world.end(2);
  world.run_for(25s);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  EXPECT_EQ(world.script.count("balancers.groups"),
            3U);  // the third refusal counts; not asked again for a while
}

TEST(BalancersInTrouble, TheRightToReadAloneHoldsNoHook) {
  BalancedWorld world;
  const Error denied(Fault::denied, "AccessDenied", "not authorized to perform: DeregisterTargets");
  world.script.fail("balancers.deregister", denied);
  world.script.fail("balancers.classic_deregister", denied);
  world.start();
  world.end(1);
  world.run_for(25s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.sim.logs.with("warn  balancers.not_allowed").size(), 3U);
}

TEST(BalancersInTrouble, CallsThatHangDelayNoHeartbeatAndNoEvictionForLong) {
  BalancedWorld world;
  world.cloud.add_hook("workers-a", "short", 30s);
  for (const char* operation : {"balancers.groups", "balancers.health", "balancers.classic"})
    world.script.hang(operation);
  world.start();
  world.end(1);
  Event second = test::terminate_event(1, "short");
  second.event_time = world.sim.clock.wall();
  world.cloud.wait_for(*second.action);
  world.send("n", second);
  world.run_for(5min);
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
  EXPECT_LT(world.when("cluster.evict"), 65s);
  EXPECT_TRUE(world.cloud.waits(*second.action));
  std::optional<SteadyTime> last;
  for (const auto& beat : world.script.calls_of("cloud.heartbeat")) {
    if (last) EXPECT_LT(beat.at - *last, 15s);
    last = beat.at;
  }
  for (const char* operation : {"balancers.groups", "balancers.health", "balancers.classic"})
    world.script.heal(operation);
  world.run_for(2min);
  EXPECT_FALSE(world.held(1));
  EXPECT_EQ(world.cloud.completions.size(), 2U);
}

TEST(BalancersInTrouble, ARefusedDeregistrationIsTriedAgain) {
  BalancedWorld world;
  world.script.fail("balancers.deregister", Error(Fault::throttled, "Throttling", "Rate exceeded"), 1);
  world.script.lose_answer("balancers.deregister", 3);
  world.script.lose_answer("balancers.classic_deregister", 1);
  world.start();
  world.end(1);
  world.run_for(2min);
  EXPECT_FALSE(world.held(1));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.ended(TerminationResult::completed), 1U);
}

TEST(BalancersInTrouble, WhatHoldsTheNodeAtTheDeadlineIsNamed) {
  BalancedWorld world;
  world.policy.max_termination_time = 60s;
  world.policy.margin = 5s;
  world.script.fail("balancers.deregister", Error(Fault::unexpected, "InternalFailure", "try later"));
  world.start();
  world.end(1);
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.ended(TerminationResult::cut_short), 1U);
  const auto lines = world.sim.logs.with("settle.cut_short");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("target group web: not deregistered, try later"), std::string::npos) << lines[0];
}

TEST(BalancersInTrouble, AGroupThatIsDeletedMeanwhileHoldsNobody) {
  BalancedWorld world;
  world.script.fail("balancers.deregister", Error(Fault::not_found, "TargetGroupNotFound", "gone"));
  world.start();
  world.end(1);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(BalancersInTrouble, ARestartWaitsForWhatAnEarlierRunDeregistered) {
  BalancedWorld world;
  world.start();
  world.end(1);
  world.run_for(5s);
  const Duration told = world.when("balancers.deregister", web);
  world.stop();
  world.start();
  world.run_for(20s);
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(30s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_GE(world.when("cloud.complete"), told + 30s);
  EXPECT_EQ(world.script.calls_of("balancers.deregister").size(), 2U);  // not done twice
}

TEST(BalancersInTrouble, AClockThatIsSetBackDoesNotProlongTheWaitAfterARestart) {
  BalancedWorld world;
  world.start();
  world.end(1);
  world.run_for(5s);
  world.stop();
  Claim claim = world.claim_of(1);
  ASSERT_TRUE(claim.left_at);
  claim.left_at = world.sim.clock.wall() + 30min;
  world.cluster.edit_node(node_name(1), [&](Node& node) { node.claim = encode(claim); });
  world.start();
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(BalancersInTrouble, RefusalsThatLieFarApartAreNoMissingRight) {
  BalancedWorld world;
  const Error denied(Fault::denied, "AccessDenied", "while its policy is changed");
  world.start();
  for (int n = 1; n <= 4; ++n) {
    world.script.fail("balancers.deregister", denied, 1);
    world.end(n);
    world.run_for(20min);
    EXPECT_FALSE(world.held(n)) << n;
  }
  EXPECT_TRUE(world.sim.logs.with("balancers.not_allowed").empty());
}

TEST(BalancersInTrouble, AClassicBalancerThatDrainsStillIsWaitedForAfterARestart) {
  EngineWorld world;
  world.balancers.add_classic("slow", 60s);
  world.balancers.put("slow", instance(1));
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(5s);
  world.stop();
  world.start();
  world.run_for(50s);
  EXPECT_TRUE(world.balancers.holds("slow", instance(1)));
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(30s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(BalancersInTrouble, ATargetThatCameBackAfterItWasLetGoIsSeenBeforeTheCompletion) {
  BalancedWorld world;
  world.start();
  world.cluster.add_pod(FakePod("slow", node_name(1)).ends_after(90s));
  world.end(1);
  world.run_for(60s);
  EXPECT_FALSE(world.held(1));
  world.balancers.put(api, instance(1), 30080);
  world.run_for(90s);
  EXPECT_FALSE(world.held(1));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.sim.logs.with("result=completed").size(), 1U);
}

TEST(BalancersInTrouble, OneRefusedGroupCostsItselfOnly) {
  BalancedWorld world;
  world.script.fail("balancers.deregister", Error(Fault::denied, "AccessDenied", "not this one"), 1);
  world.start();
  world.end(1);
  world.run_for(1min);
  EXPECT_FALSE(world.held(1));  // a role just attached: refused once, allowed a moment later
  EXPECT_TRUE(world.sim.logs.with("balancers.not_allowed").empty());
}

TEST(BalancersInTrouble, PodsThatTakeTrafficAreNotKeptForBalancersThatCannotBeAsked) {
  BalancedWorld world;
  world.script.hang("balancers.health");
  world.start();
  world.end(1);
  FakePod gateway("gateway", node_name(1));
  gateway.pod.host_network = true;
  world.cluster.add_pod(std::move(gateway));
  world.run_for(4min);  // a minute for the balancers, then the longest continued service
  EXPECT_FALSE(world.cluster.has_pod("gateway"));
  EXPECT_EQ(world.script.count("cluster.delete_pod"), 0U);
}

TEST(BalancersInTrouble, AClaimThatNamesOthersPoolsIsNotBelieved) {
  BalancedWorld world;
  world.start();
  world.end(1);
  world.run_for(3s);
  world.stop();
  Claim claim = world.claim_of(1);
  claim.deregistered = {{BalancerType::classic, web, 30080}, {BalancerType::network, "arn:invented", 1}};
  world.cluster.edit_node(node_name(1), [&](Node& node) { node.claim = encode(claim); });
  world.start();
  world.end(2);
  world.run_for(3min);
  EXPECT_FALSE(world.held(2));
  EXPECT_EQ(world.cloud.completions.size(), 2U);
}

TEST(BalancersInTrouble, AClassicBalancerThatSomebodyElseDrainsIsWaitedFor) {
  EngineWorld world;
  world.balancers.add_classic("slow", 60s);
  world.balancers.put("slow", instance(1));
  std::vector<InstanceId> leaving{instance(1)};
  ASSERT_TRUE(world.sim.run(world.balancers.classic_deregister("slow", leaving, world.within(5s))));
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(50s);
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(30s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(BalancersInTrouble, WhatTheServiceAsksForIsWaitedForAtMostHalfAMinute) {
  BalancedWorld world;
  Error slow(Fault::throttled, "Throttling", "Rate exceeded");
  slow.retry_after = std::chrono::hours{24};
  world.script.fail("balancers.deregister", slow, 1);
  world.start();
  world.end(1);
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

}  // namespace
}  // namespace ferryman::termination
