// SPDX-License-Identifier: Apache-2.0
#include "termination/ghosts.h"

#include <gtest/gtest.h>

#include "termination/ports/marks.h"
#include "unit/termination/world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::FakePod;
using test::instance;
using test::node_name;

class GhostWorld : public test::World {
 public:
  GhostWorld() { policy.drain.delete_node = true; }
  ~GhostWorld() {
    loop.cancel();
    sim.clock.advance(Duration{0});
  }
  GhostWorld(const GhostWorld&) = delete;
  GhostWorld& operator=(const GhostWorld&) = delete;

  /// The Node of an end that is over; its kubelet is silent.
  Claim ended(int n) {
    Claim claim;
    claim.events = {test::terminate_event(n)};
    claim.steps = {"cordon", "drain", "complete"};
    claim.closed = sim.clock.wall();
    claim.completed = true;
    Node node = test::node_of(n);
    node.ready = false;
    node.claim = encode(claim);
    cluster.add_node(std::move(node));
    return claim;
  }
  void edit(int n, const Claim& claim) {
    cluster.edit_node(node_name(n), [&](Node& node) { node.claim = encode(claim); });
  }
  void terminate(int n) { cloud.set_instance(instance(n), "terminated"); }
  void run_for(Duration duration) {
    if (loop.size() == 0) loop.spawn("ghosts", ghosts.run());
    sim.clock.advance(duration);
  }

  AwsFacts facts{context, cloud, calls};
  Ghosts ghosts{context, Ports(queue, cloud, balancers, cluster, notices), facts, calls};
  Scope loop{sim.clock, sim.log};
};

TEST(Ghosts, TheNodeOfAnEndedInstanceGoesWithThePodsThatHangOnIt) {
  GhostWorld world;
  world.ended(1);
  world.cluster.add_pod(FakePod("stuck", node_name(1)).ends_after(std::nullopt));
  world.run_for(2min);
  EXPECT_TRUE(world.cluster.has_node(node_name(1)));  // EC2 says that it runs
  world.terminate(1);
  world.run_for(1min);
  EXPECT_FALSE(world.cluster.has_node(node_name(1)));
  EXPECT_FALSE(world.cluster.has_pod("stuck"));
  EXPECT_EQ(world.cluster.graces, (std::vector<std::optional<std::chrono::seconds>>{0s}));
  EXPECT_LT(world.script.first("cluster.delete_pod"), world.script.first("cluster.delete_node"));
  EXPECT_EQ(world.metrics.nodes_deleted.value(), 1U);
  EXPECT_EQ(world.metrics.ghosts_deleted.value(), 1U);
  ASSERT_EQ(world.notices.count(NoticeKind::node_deleted), 1U);
  EXPECT_EQ(world.notices.told.back().node, node_name(1));
}

TEST(Ghosts, WithoutTheOptInNothingIsAskedAndNothingGoes) {
  GhostWorld world;
  world.policy.drain.delete_node = false;
  world.ended(1);
  world.terminate(1);
  world.run_for(10min);
  EXPECT_TRUE(world.cluster.has_node(node_name(1)));
  EXPECT_TRUE(world.script.calls().empty());
}

TEST(Ghosts, AnOpenClaimAForeignOneAndNoneKeepTheirNodes) {
  GhostWorld world;
  Claim open = world.ended(1);
  open.closed.reset();
  world.edit(1, open);
  Claim foreign = world.ended(2);
  foreign.events = {test::terminate_event(7)};
  world.edit(2, foreign);
  world.ended(3);
  world.cluster.edit_node(node_name(3), [](Node& node) { node.claim.clear(); });
  for (const int n : {1, 2, 3}) world.terminate(n);
  world.run_for(5min);
  for (const int n : {1, 2, 3}) EXPECT_TRUE(world.cluster.has_node(node_name(n))) << n;
  EXPECT_EQ(world.script.count("cloud.instances"), 0U);
}

TEST(Ghosts, AStoppedInstanceAndAReadyNodeAreNoGhosts) {
  GhostWorld world;
  world.ended(1);
  world.cloud.set_instance(instance(1), "stopped");
  world.ended(2);
  world.cluster.edit_node(node_name(2), [](Node& node) { node.ready = true; });
  world.terminate(2);
  world.run_for(5min);
  EXPECT_TRUE(world.cluster.has_node(node_name(1)));
  EXPECT_TRUE(world.cluster.has_node(node_name(2)));
}

// The cache is behind: another machine has the name now.
TEST(Ghosts, ANameThatAnotherMachineHasNowIsLeftAlone) {
  GhostWorld world;
  world.ended(1);
  world.terminate(1);
  world.cluster.watch_works = false;
  world.cluster.edit_node(node_name(1), [](Node& node) {
    node.uid = Uid("another");
    node.instance_id = instance(9);
    node.ready = true;
    node.claim.clear();
  });
  world.cluster.add_pod(FakePod("alive", node_name(1)));
  world.run_for(5min);
  EXPECT_TRUE(world.cluster.has_node(node_name(1)));
  EXPECT_TRUE(world.cluster.has_pod("alive"));
  EXPECT_EQ(world.script.count("cluster.delete_node"), 0U);
}

TEST(Ghosts, ATargetThatABalancerHoldsStillKeepsTheNodeOfAnEndThatWasCutShort) {
  GhostWorld world;
  Claim claim = world.ended(1);
  claim.completed = false;
  const std::string arn = test::FakeBalancers::arn("web");
  claim.deregistered = {{BalancerType::application, arn, 80}};
  world.edit(1, claim);
  world.terminate(1);
  world.balancers.add_group("web", BalancerType::application, 0s);
  world.balancers.put(arn, instance(1), 80);
  world.run_for(5min);
  EXPECT_TRUE(world.cluster.has_node(node_name(1)));
  world.script.fail("balancers.health", Error(Fault::transport, "reset"));
  world.run_for(5min);
  EXPECT_TRUE(world.cluster.has_node(node_name(1)));
  EXPECT_EQ(world.script.count("cluster.delete_pod"), 0U);
  world.script.heal("balancers.health");
  world.balancers.set_unknown(instance(1));
  world.run_for(1min);
  EXPECT_FALSE(world.cluster.has_node(node_name(1)));
}

TEST(Ghosts, TwoHundredGhostsCostOneQuestionToEc2) {
  GhostWorld world;
  for (int n = 1; n <= 200; ++n) {
    world.ended(n);
    world.terminate(n);
  }
  world.run_for(40s);
  EXPECT_EQ(world.metrics.nodes_deleted.value(), 200U);
  EXPECT_EQ(world.script.count("cloud.instances"), 1U);
}

TEST(Ghosts, AMissingRightIsSaidOnceAndItsCureNamed) {
  GhostWorld world;
  world.ended(1);
  world.terminate(1);
  world.script.fail("cluster.delete_node", Error(Fault::denied, "Forbidden", "cannot delete nodes"));
  world.run_for(10min);
  EXPECT_TRUE(world.cluster.has_node(node_name(1)));
  std::size_t warnings = 0;
  for (const std::string& line : world.sim.logs.with("node.not_deleted"))
    warnings += line.find("warn") != std::string::npos;
  EXPECT_EQ(warnings, 1U);
  EXPECT_EQ(world.sim.logs.with("allow delete on nodes").empty(), false);
}

TEST(Ghosts, AnAnswerThatIsLostIsMadeGoodAtTheNextLook) {
  GhostWorld world;
  world.ended(1);
  world.terminate(1);
  world.script.lose_answer("cluster.delete_node", 1);
  world.run_for(2min);
  EXPECT_FALSE(world.cluster.has_node(node_name(1)));
}

TEST(Ghosts, WhatIsStoppedOnlyAfterItsEndIsTaintedOutOfServiceOnce) {
  GhostWorld world;
  world.policy.drain.delete_node = false;
  world.policy.drain.out_of_service = true;
  world.ended(1);
  world.run_for(2min);
  EXPECT_TRUE(world.cluster.find_node(instance(1))->taints.empty());  // EC2 says that it runs
  world.cloud.set_instance(instance(1), "stopped");
  world.run_for(2min);
  const Node* node = world.cluster.find_node(instance(1));
  ASSERT_EQ(node->taints.size(), 1U);
  EXPECT_EQ(node->taints.front().key, marks::out_of_service_key);
  EXPECT_EQ(node->taints.front().effect, "NoExecute");
  EXPECT_TRUE(decode_claim(node->claim)->out_of_service);  // so that it can be taken back
}

}  // namespace
}  // namespace ferryman::termination
