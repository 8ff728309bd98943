// SPDX-License-Identifier: Apache-2.0
// What users of termination handlers lost requests by.
#include <gtest/gtest.h>

#include "unit/termination/bodies.h"
#include "unit/termination/voluntary_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::api;
using test::BalancedWorld;
using test::EngineWorld;
using test::FakeBalancers;
using test::FakePod;
using test::instance;
using test::node_name;
using test::VoluntaryWorld;
using test::web;

/// Recommended for rebalancing; it ends by no hook, and may come to nothing.
void recommend(VoluntaryWorld& world, int n) {
  (void)world.ending_node(n);
  world.put_everywhere(n);
  world.queue.send("r" + std::to_string(n), test::rebalance_body(n, world.now()));
}

TEST(HundredsOfTargetGroups, CostACallForEachGroupNotForEachGroupAndInstance) {
  EngineWorld world;
  constexpr int groups = 100;
  for (int i = 0; i < groups; ++i)
    world.balancers.add_group("g" + std::to_string(i), BalancerType::application, 10s);
  world.start();
  for (int n = 1; n <= 20; ++n) {
    for (int i = 0; i < 3; ++i)
      world.balancers.put(FakeBalancers::arn("g" + std::to_string(i)), instance(n), 80);
    world.send("m" + std::to_string(n), world.ending_node(n));
  }
  world.run_for(5min);
  EXPECT_EQ(world.cloud.completions.size(), 20U);
  EXPECT_LT(world.script.count("balancers.health"), std::size_t{groups * 3});
}

TEST(ALabelThatNobodyActsOn, IsNotReliedOn) {
  BalancedWorld world;
  world.start();
  world.end(1);
  world.run_for(2min);
  EXPECT_FALSE(world.held(1));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(TheLastHealthyTarget, StaysUntilAReplacementIsHealthyWhenTheEndMayComeToNothing) {
  VoluntaryWorld world;
  world.policy.voluntary_min_age = 0s;
  world.balancers.set_healthy(web, instance(VoluntaryWorld::bystander), false);
  world.start();
  recommend(world, 1);
  world.run_for(3min);
  EXPECT_TRUE(world.balancers.holds(web, instance(1)));
  EXPECT_FALSE(world.balancers.holds(api, instance(1)));
  world.balancers.set_healthy(web, instance(VoluntaryWorld::bystander), true);
  world.run_for(1min);
  EXPECT_FALSE(world.balancers.holds(web, instance(1)));
}

TEST(TheLastHealthyTarget, LeavesWhenAForcedEndJoins) {
  VoluntaryWorld world;
  world.policy.voluntary_min_age = 0s;
  world.balancers.set_healthy(web, instance(VoluntaryWorld::bystander), false);
  world.start();
  recommend(world, 1);
  world.run_for(30s);
  ASSERT_TRUE(world.balancers.holds(web, instance(1)));
  const std::size_t before = world.script.count("balancers.deregister");
  world.queue.send("s", test::spot_body(1, world.now()));
  world.run_for(5s);
  EXPECT_EQ(world.script.count("balancers.deregister"), before + 1);
}

TEST(TheLastHealthyTarget, LeavesBeforeTheDeadlineInAnyCase) {
  VoluntaryWorld world;
  world.policy.voluntary_min_age = 0s;
  world.policy.max_termination_time = 10min;
  world.balancers.set_healthy(web, instance(VoluntaryWorld::bystander), false);
  world.start();
  recommend(world, 1);
  world.run_for(8min);
  ASSERT_TRUE(world.balancers.holds(web, instance(1)));
  world.run_for(3min);
  EXPECT_FALSE(world.balancers.holds(web, instance(1)));
}

TEST(ManyVoluntaryEnds, LeaveTheirGroupsOneAfterTheOtherWhenFewAreHealthy) {
  VoluntaryWorld world;
  world.policy.voluntary_min_age = 0s;
  world.policy.voluntary_share = 100;
  world.policy.min_healthy_targets = 3;
  world.start();
  for (int n = 1; n <= 4; ++n) recommend(world, n);
  world.run_for(5min);
  int held = 0;
  for (int n = 1; n <= 4; ++n) held += world.balancers.holds(web, instance(n)) ? 1 : 0;
  EXPECT_EQ(held, 2);  // with the bystander three
}

TEST(ADelayThatCannotFit, IsNamedAtOnceWithTheSettingToLower) {
  EngineWorld world;
  world.balancers.add_group("slow", BalancerType::application, 300s);
  world.balancers.put(FakeBalancers::arn("slow"), instance(1), 80);
  (void)world.ending_node(1);
  world.start();
  world.queue.send("s", test::spot_body(1, world.sim.clock.wall()));
  world.run_for(5s);
  const auto lines = world.sim.logs.with("delay.too_long");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("target group slow"), std::string::npos);
  EXPECT_NE(lines[0].find("deregistration_delay.timeout_seconds"), std::string::npos);
  world.run_for(3min);
  const auto left = world.sim.logs.with("settle.cut_short");
  ASSERT_EQ(left.size(), 1U);
  EXPECT_NE(left[0].find("draining, for its deregistration_delay.timeout_seconds"), std::string::npos)
      << left[0];
}

TEST(ADelayOfAnHour, IsWaitedForWithFewCalls) {
  EngineWorld world;
  world.policy.max_termination_time = 2h;
  world.balancers.add_group("slow", BalancerType::application, 3600s);
  world.balancers.put(FakeBalancers::arn("slow"), instance(1), 80);
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(59min);
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(3min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_LE(world.script.count("balancers.health"), 12U);  // six of them keep the index fresh
}

TEST(AFailedDrain, SkipsNoDeregistration) {
  BalancedWorld world;
  world.policy.max_termination_time = 3min;
  world.script.fail("cluster.evict", Error(Fault::unexpected, "InternalError", "no"));
  world.script.fail("cluster.delete_pod", Error(Fault::unexpected, "InternalError", "no"));
  world.start();
  world.end(1);
  world.run_for(5min);
  EXPECT_FALSE(world.held(1));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(TargetsThatAutoScalingDetaches, AreNoFailureAndAreWaitedFor) {
  BalancedWorld world;
  world.start();
  world.run_for(10s);
  world.put_everywhere(1);
  for (const std::string& pool : {web, api}) {
    std::vector<Target> targets{Target(instance(1), 30080)};
    ASSERT_TRUE(world.sim.run(world.balancers.deregister(pool, std::move(targets), world.within(5s))));
  }
  world.send("m", world.ending_node(1));
  world.run_for(20s);
  EXPECT_TRUE(world.balancers.holds(web, instance(1)));
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.ended(TerminationResult::completed), 1U);
}

TEST(ARegistrationOfTheLastSeconds, IsFoundBeforeTheCompletion) {
  BalancedWorld world;
  world.put_everywhere(1);
  const Event event = world.ending_node(1);
  world.start();
  world.run_for(20s);
  world.balancers.add_group("late", BalancerType::application, 10s);
  world.send("m", event);
  world.run_for(2s);
  world.balancers.put(FakeBalancers::arn("late"), instance(1), 80);  // by a controller that is slow
  world.run_for(2min);
  EXPECT_FALSE(world.balancers.holds(FakeBalancers::arn("late"), instance(1)));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(APollThatHangs, DelaysNoDeregistrationFromTheSameGroup) {
  BalancedWorld world;
  world.start();
  world.end(1);
  world.run_for(30s);
  world.script.hang("balancers.health");
  world.run_for(3s);  // the poll of node 1 hangs now
  world.put_everywhere(2);
  const Event second = world.ending_node(2);
  world.cluster.edit_node(node_name(2), [&](Node& node) { node.created = world.sim.clock.wall() - 1h; });
  world.send("m2", second);
  world.run_for(4s);
  world.script.heal("balancers.health");
  world.run_for(3min);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  EXPECT_FALSE(world.held(2));
}

TEST(ManyClassicBalancers, AreWaitedForWhenSomebodyElseDrainsThem) {
  EngineWorld world;
  constexpr int many = 30;
  for (int i = 0; i < many; ++i) world.balancers.add_classic("elb" + std::to_string(i), 60s);
  world.balancers.put("elb7", instance(1));
  world.start();
  world.run_for(1min);
  std::vector<InstanceId> leaving{instance(1)};
  ASSERT_TRUE(world.sim.run(world.balancers.classic_deregister("elb7", leaving, world.within(5s))));
  world.send("m", world.ending_node(1));
  world.run_for(50s);
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(30s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_LE(world.script.count("balancers.classic_health"), 10U);  // the one that had it, not each of thirty
}

TEST(BalancersThatNobodyCanReach, HoldNoNodeThatTheIndexSaysIsInNone) {
  BalancedWorld world;
  const Event event = world.ending_node(1);
  world.start();
  world.run_for(3min);
  for (const char* operation : {"balancers.groups", "balancers.health", "balancers.classic"})
    world.script.hang(operation);
  world.send("m", event);
  world.run_for(5min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.sim.logs.with("balancers.not_looked_at_again").size(), 1U);
}

TEST(ALoneSpotNotice, IsDeregisteredWithinASecondByAWarmIndex) {
  BalancedWorld world;
  world.put_everywhere(1);
  (void)world.ending_node(1);
  world.start();
  world.run_for(1min);
  for (const char* operation : {"balancers.groups", "balancers.health", "balancers.classic"})
    world.script.hang(operation);
  const Duration before = world.elapsed();
  world.queue.send("s", test::spot_body(1, world.sim.clock.wall()));
  world.run_for(10s);
  EXPECT_LT(world.when("balancers.deregister", web), before + 2s);
  EXPECT_LT(world.when("balancers.classic_deregister", "old"), before + 2s);
}

}  // namespace
}  // namespace ferryman::termination
