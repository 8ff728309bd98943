// SPDX-License-Identifier: Apache-2.0
// Instances that are ours and have no Node: awaited while they may still come, completed when they are gone.
#include <gtest/gtest.h>

#include "unit/termination/bodies.h"
#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::instance;
using test::node_name;

/// Instance 1 waits in its hook and is ours by its tag; nobody has seen its Node.
class AbsentWorld : public test::EngineWorld {
 public:
  AbsentWorld() {
    policy.cluster_name = "blue";
    cloud.tags_of_instances[instance(1)] = {{"kubernetes.io/cluster/blue", "owned"}};
    event = test::terminate_event(1);
    event.event_time = sim.clock.wall();
    cloud.wait_for(*event.action);
  }
  void send_and_start() {
    start();
    send("m", event);
  }
  [[nodiscard]] Duration longest_gap_between_heartbeats() {
    SteadyTime last = begin;
    Duration longest{0};
    for (const auto& call : script.calls()) {
      if (call.operation != "cloud.heartbeat") continue;
      longest = std::max(longest, call.at - last);
      last = call.at;
    }
    return longest;
  }

  Event event;
};

TEST(AbsentNode, OneThatJoinsLateIsCordonedAtOnceAndKeptAliveUntilThen) {
  AbsentWorld world;
  world.cloud.add_hook(test::group, test::drain_hook, 30s);
  world.send_and_start();
  world.run_for(40s);
  EXPECT_TRUE(world.queue.holds("m"));
  EXPECT_EQ(world.queue.receives("m"), 1);
  world.cluster.add_node(test::node_of(1));
  world.cluster.add_pod(test::FakePod("late", node_name(1)).ends_after(10s));
  world.run_for(3s);
  EXPECT_TRUE(world.cluster.node(node_name(1)).unschedulable);
  EXPECT_FALSE(world.queue.holds("m"));
  world.run_for(30s);
  EXPECT_LE(world.longest_gap_between_heartbeats(), 14s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(AbsentNode, ATerminatedInstanceIsCompletedAtOnce) {
  AbsentWorld world;
  world.cloud.set_instance(instance(1), "terminated");
  world.send_and_start();
  world.run_for(5s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(AbsentNode, ATerminatedInstanceWhoseNodeIsThereIsDrained) {
  AbsentWorld world;
  world.cluster.add_node(test::node_of(1));
  world.cluster.add_pod(test::FakePod("left", node_name(1)).ends_after(5s));
  world.cloud.set_instance(instance(1), "terminated");
  world.send_and_start();
  world.run_for(30s);
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(AbsentNode, OneThatEc2DoesNotKnowIsGoneAfterTenSeconds) {
  AbsentWorld world;
  world.cloud.tags_of_instances.clear();
  world.cloud.tags_of_groups[test::group] = {{"kubernetes.io/cluster/blue", "owned"}};
  world.cloud.set_instance(instance(1), std::nullopt);
  world.cloud.set_state(instance(1), "Terminating:Wait");
  world.send_and_start();
  world.run_for(9s);
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(6s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(AbsentNode, OneInAWarmPoolIsCompletedAtOnce) {
  AbsentWorld world;
  world.cloud.set_state(instance(1), "Warmed:Terminating:Wait");
  world.send_and_start();
  world.run_for(5s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(AbsentNode, AnActionThatWaitsNoMoreIsASuccess) {
  AbsentWorld world;
  world.cloud.set_instance(instance(1), "terminated");
  world.cloud.end_wait(*world.event.action);
  world.send_and_start();
  world.run_for(10s);
  EXPECT_EQ(world.script.count("cloud.complete"), 1U);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.sim.logs.with("completion.lost").size(), 0U);
}

TEST(AbsentNode, OneThatNeverComesEndsByThePolicyAtTheLimit) {
  for (const AtLimit at_limit : {AtLimit::proceed, AtLimit::abandon, AtLimit::leave}) {
    AbsentWorld world;
    world.policy.missing_node_at_limit = at_limit;
    world.policy.missing_node_limit = 5min;
    world.send_and_start();
    world.run_for(5min - 2s);
    EXPECT_TRUE(world.cloud.completions.empty());
    EXPECT_TRUE(world.queue.holds("m"));
    world.run_for(1min);
    EXPECT_EQ(world.cloud.completions.size(), at_limit == AtLimit::leave ? 0U : 1U);
    EXPECT_FALSE(world.queue.holds("m"));
    EXPECT_EQ(world.sim.logs.with("node.missing").size(), 1U);
    const auto beats = world.script.count("cloud.heartbeat");
    world.run_for(10min);
    EXPECT_EQ(world.script.count("cloud.heartbeat"), beats);
  }
}

TEST(AbsentNode, ARestartReceivesTheMessageAgain) {
  AbsentWorld world;
  world.send_and_start();
  world.run_for(20s);
  world.stop(5s);
  EXPECT_TRUE(world.queue.holds("m"));
  world.start();
  world.run_for(30s);
  world.cluster.add_node(test::node_of(1));
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

// In a shared queue another cluster's reader may hide the message for a minute when the Node comes.
TEST(AbsentNode, WhatWasGivenBackBeginsWhenItsNodeComesWhereverItsMessageIs) {
  AbsentWorld world;
  world.policy.cluster_name.clear();
  world.send_and_start();
  world.run_for(20s);
  EXPECT_EQ(world.script.count("cloud.heartbeat"), 0U);
  world.script.fail("queue.receive", Error(Fault::transport, "others read it"));
  world.run_for(5s);
  Node node = test::node_of(1);
  world.cluster.add_node(node);
  world.cluster.add_pod(test::FakePod("web", node_name(1)).ends_after(5s));
  world.run_for(2s);
  EXPECT_TRUE(world.cluster.node(node_name(1)).unschedulable);
  world.run_for(30s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  world.script.heal("queue.receive");
  world.run_for(2min);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(AbsentNode, ANodeThatIsNotReadyOfAnInstanceThatIsOffIsNotWaitedForLong) {
  AbsentWorld world;
  Node node = test::node_of(1);
  node.ready = false;
  world.cluster.add_node(node);
  world.cluster.add_pod(test::FakePod("stuck", node_name(1)).ends_after(std::nullopt));
  world.cloud.set_instance(instance(1), "terminated");
  world.send_and_start();
  world.run_for(150s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.sim.logs.with("pod.forced").size(), 1U) << "no kubelet is left that could confirm its end";
  EXPECT_FALSE(world.cluster.has_pod("stuck"));
}

TEST(AbsentNode, AVoluntaryEndOfWhatHasNoNodeGoesBackToTheQueue) {
  AbsentWorld world;
  world.policy.actions_by_kind.at(static_cast<std::size_t>(EventKind::rebalance_recommendation)) =
      Action::drain;
  world.start();
  world.queue.send("r", test::rebalance_body(1, world.sim.clock.wall()));
  world.run_for(1min);
  EXPECT_TRUE(world.queue.holds("r"));
  world.run_for(35min);
  EXPECT_FALSE(world.queue.holds("r"));
}

}  // namespace
}  // namespace ferryman::termination
