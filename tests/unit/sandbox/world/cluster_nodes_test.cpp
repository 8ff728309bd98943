// SPDX-License-Identifier: Apache-2.0
// How Nodes follow instances that are late, stop, or come back.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "unit/sandbox/world/world_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class NodesOfInstances : public ::testing::Test {
 protected:
  Group& group() { return *bench.world.aws().groups().find("workers-1"); }
  std::optional<NodeReport> node(const InstanceId& id) { return bench.world.kubernetes().find_node(id); }
  std::string boot_id(const std::string& name) {
    const auto answer =
        bench.send(net::HttpRequest("GET", "https://kubernetes.sandbox/api/v1/nodes/" + name));
    const json::value body = *parse_json(answer->body);
    return std::string(string_at(find(find(body, "status"), "nodeInfo"), "bootID"));
  }

  WorldBench bench;
};

TEST_F(NodesOfInstances, OneJoinsAsLateAsItIsTold) {
  const InstanceId id = bench.world.nodes().start_late(group(), 40s);
  bench.sim.clock.advance(39s);
  EXPECT_FALSE(node(id));
  bench.sim.clock.advance(1s);
  EXPECT_TRUE(node(id)->ready);
}

TEST_F(NodesOfInstances, OneNeverJoins) {
  const InstanceId id = bench.world.nodes().start_late(group(), std::nullopt);
  bench.sim.clock.advance(1h);
  EXPECT_FALSE(node(id));
  EXPECT_EQ(group().members.at(id), "InService");
}

TEST_F(NodesOfInstances, StoppedAndStartedTheNodeIsTheSameWithAnotherBoot) {
  const InstanceId id = bench.first_instance();
  const std::string name = node(id)->name;
  const std::string before = boot_id(name);
  bench.world.aws().instances().stop(id);
  bench.sim.clock.advance(60s);
  EXPECT_FALSE(node(id)->ready);
  bench.world.aws().instances().start(id);
  bench.sim.clock.advance(60s);
  EXPECT_TRUE(node(id)->ready);
  EXPECT_NE(boot_id(name), before);
}

TEST_F(NodesOfInstances, ARebootChangesTheBootAndIsOverBeforeTheNodeIsUnknown) {
  const InstanceId id = bench.first_instance();
  const std::string name = node(id)->name;
  const std::string before = boot_id(name);
  bench.world.aws().instances().reboot(id);
  bench.sim.clock.advance(24s);
  EXPECT_TRUE(node(id)->ready);
  EXPECT_EQ(boot_id(name), before);
  bench.sim.clock.advance(2s);
  EXPECT_NE(boot_id(name), before);
}

TEST_F(NodesOfInstances, TheNodeOfAnInstanceFromTheWarmPoolIsReadyAgain) {
  const InstanceId id = bench.first_instance();
  group().warm_pool = WarmPool();
  group().hooks.clear();
  ASSERT_TRUE(bench.world.aws().groups().terminate_in_group(id, true));
  bench.sim.clock.advance(1min);
  EXPECT_EQ(group().members.at(id), "Warmed:Stopped");
  EXPECT_FALSE(node(id)->ready);
  ASSERT_TRUE(bench.world.aws().groups().take_from_warm_pool(id));
  bench.sim.clock.advance(1min);
  EXPECT_EQ(group().members.at(id), "InService");
  EXPECT_TRUE(node(id)->ready);
}

TEST_F(NodesOfInstances, TheControlApiInterrupts) {
  const std::string id = bench.first_instance().str();
  EXPECT_EQ(bench.call_control("POST", "spot-interruption", R"({"instance":")" + id + R"(","action":"stop"})")
                .status,
            200);
  EXPECT_EQ(bench.call_control("POST", "rebalance", R"({"instance":")" + id + R"("})").status, 200);
  EXPECT_EQ(bench.call_control("POST", "capacity-interruption", R"({"instance":")" + id + R"("})").status,
            200);
  const auto health = bench.call_control(
      "POST", "health", R"({"instances":[")" + id + R"("],"start":"2026-03-02T12:00:00Z","status":"open"})");
  EXPECT_EQ(health.status, 200);
  EXPECT_NE(health.body.find("arn:aws:health:us-west-2::event/EC2/"), std::string::npos);
  EXPECT_EQ(bench.world.aws().queues().find("ferryman")->messages().size(), 4U);
}

TEST_F(NodesOfInstances, AnInterruptionThatMakesNoSenseIsRefusedWithWhatIsWrong) {
  const auto refused = [&](const char* path, const char* body) {
    const auto answer = bench.call_control("POST", path, body);
    return std::to_string(answer.status) + " " + answer.body;
  };
  EXPECT_NE(refused("spot-interruption", "{}").find("instance must be"), std::string::npos);
  EXPECT_NE(refused("spot-interruption", R"({"instance":"i-0fedcba9876543210","action":"melt"})")
                .find("it must be terminate, stop or hibernate"),
            std::string::npos);
  EXPECT_TRUE(refused("rebalance", R"({"instance":"i-0fedcba9876543210"})").starts_with("404"));
  EXPECT_NE(refused("health", R"({"instances":["i-1"],"start":"soon"})").find("start must be a time"),
            std::string::npos);
  EXPECT_EQ(bench.call_control("GET", "rebalance").status, 405);
}

TEST(BalancersOfNodes, EachIsInSomeOfTheBalancersAndAllAreEquallyFull) {
  Scenario scenario = WorldBench::small();
  scenario.nodes = 20;
  scenario.target_groups = 8;
  scenario.target_groups_per_node = 2;
  scenario.classic_elbs = 4;
  scenario.classic_elbs_per_node = 1;
  WorldBench bench(scenario);
  std::map<std::string, std::set<std::string>> groups_of;
  for (const auto& [arn, group] : bench.world.aws().target_groups().all()) {
    std::set<std::string> members;
    for (const auto& [target, registration] : group.targets) {
      members.insert(target.id);
      groups_of[target.id].insert(arn);
    }
    EXPECT_EQ(members.size(), 5U) << group.spec.name;
  }
  EXPECT_EQ(groups_of.size(), 20U);
  for (const auto& [id, groups] : groups_of) EXPECT_EQ(groups.size(), 2U);
  for (const auto& [name, balancer] : bench.world.aws().classic_balancers().all())
    EXPECT_EQ(balancer.instances.size(), 5U) << name;
}

}  // namespace
}  // namespace ferryman::sandbox::test
