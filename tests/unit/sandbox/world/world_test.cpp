// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/sandbox/world/world_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

TEST(World, HoldsWhatTheScenarioAsksForFromTheFirstMoment) {
  WorldBench bench;
  const auto nodes = bench.world.kubernetes().nodes();
  ASSERT_EQ(nodes.size(), 3U);
  for (const NodeReport& node : nodes) {
    EXPECT_TRUE(node.ready);
    EXPECT_NE(bench.world.aws().instances().find(node.instance_id), nullptr);
  }
  std::size_t shop_pods = 0;
  for (const PodReport& pod : bench.world.kubernetes().pods())
    shop_pods += pod.owner_kind == "ReplicaSet" ? 1 : 0;
  EXPECT_EQ(shop_pods, 12U);
}

TEST(World, NodeGoesAfterItsInstance) {
  WorldBench bench;
  const InstanceId id = bench.first_instance();
  ASSERT_TRUE(bench.world.aws().instances().shut_down(id));
  bench.sim.clock.advance(5s);
  EXPECT_TRUE(bench.world.kubernetes().find_node(id)) << "the cloud controller takes a while";
  bench.sim.clock.advance(10s);
  EXPECT_FALSE(bench.world.kubernetes().find_node(id));
}

TEST(World, KubeletOfAStoppedInstanceFallsSilent) {
  WorldBench bench;
  const InstanceId id = bench.first_instance();
  bench.world.aws().settings().shutdown = 10min;
  bench.world.aws().instances().shut_down(id);
  bench.sim.clock.advance(1min);
  EXPECT_FALSE(bench.world.kubernetes().find_node(id)->ready);
}

TEST(World, ReplacementJoinsAsANode) {
  Scenario scenario = WorldBench::small();
  scenario.replacement_delay = 5s;
  scenario.boot = 10s;
  scenario.join = 20s;
  WorldBench bench(scenario);
  ASSERT_TRUE(bench.world.aws().groups().terminate_in_group(bench.first_instance(), false));
  bench.sim.clock.advance(34s);
  EXPECT_EQ(bench.world.kubernetes().nodes().size(), 3U);
  bench.sim.clock.advance(1s);
  EXPECT_EQ(bench.world.kubernetes().nodes().size(), 4U);
}

TEST(World, EveryNodeIsInEveryTargetGroupAndClassicElb) {
  Scenario scenario = WorldBench::small();
  scenario.target_groups = 4;
  scenario.classic_elbs = 2;
  WorldBench bench(scenario);
  std::size_t registered = 0;
  for (const auto& [arn, group] : bench.world.aws().target_groups().all()) {
    registered += group.targets.size();
    for (const auto& [target, registration] : group.targets)
      EXPECT_EQ(registration.state, TargetState::healthy);
  }
  EXPECT_EQ(registered, 15U) << "three nodes, four groups, one of them with two ports";
  for (const auto& [name, balancer] : bench.world.aws().classic_balancers().all())
    EXPECT_EQ(balancer.instances.size(), 3U) << name;
  EXPECT_EQ(bench.world.aws().classic_balancers().all().size(), 2U);
}

TEST(World, AReplacementIsRegisteredToo) {
  Scenario scenario = WorldBench::small();
  scenario.target_groups = 1;
  scenario.replacement_delay = 5s;
  WorldBench bench(scenario);
  ASSERT_TRUE(bench.world.aws().groups().terminate_in_group(bench.first_instance(), false));
  bench.sim.clock.advance(20min);
  EXPECT_EQ(bench.world.aws().target_groups().all().begin()->second.targets.size(), 3U)
      << "the old one is out, the new one in";
}

TEST(World, ForeignInstancesShareTheQueueButAreNoNodes) {
  Scenario scenario = WorldBench::small();
  scenario.foreign_instances = 2;
  WorldBench bench(scenario);
  EXPECT_EQ(bench.world.kubernetes().nodes().size(), 3U);
  const Group* other = bench.world.aws().groups().find("other-cluster");
  ASSERT_EQ(other->members.size(), 2U);
  ASSERT_TRUE(bench.world.aws().groups().terminate_in_group(other->members.begin()->first, true));
  bench.sim.clock.advance(2s);
  EXPECT_EQ(bench.world.aws().queues().find("ferryman")->counts().visible, 1U);
}

TEST(World, OneGroupForSoManyNodes) {
  Scenario scenario = WorldBench::small();
  scenario.nodes = 5;
  scenario.nodes_per_group = 2;
  WorldBench bench(scenario);
  EXPECT_EQ(bench.world.aws().groups().all().size(), 3U);
  EXPECT_EQ(bench.world.aws().groups().find("workers-3")->members.size(), 1U);
}

TEST(World, AsksForCredentialsOnBothSidesWhenTold) {
  Scenario scenario = WorldBench::small();
  scenario.check_signatures = true;
  scenario.check_tokens = true;
  WorldBench bench(scenario);
  EXPECT_EQ(bench.list_queues()->status, 403);
  EXPECT_EQ(bench.nodes()->status, 401);
  net::HttpRequest request("GET", "https://kubernetes.sandbox/api/v1/nodes");
  request.headers.add("Authorization", "Bearer " + bench.world.token().reveal());
  EXPECT_EQ(bench.send(std::move(request))->status, 200);
}

TEST(World, TheSameSeedTellsTheSameStory) {
  const auto story = [] {
    WorldBench bench;
    (void)bench.world.aws().groups().terminate_in_group(bench.first_instance(), false);
    bench.sim.clock.advance(20min);
    return bench.call_control("GET", "journal").body;
  };
  EXPECT_EQ(story(), story());
}

}  // namespace
}  // namespace ferryman::sandbox::test
