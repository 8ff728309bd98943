// SPDX-License-Identifier: Apache-2.0
// Lifecycle hooks of which no message told: found, worked on once, and never one that another handles.
#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::group;
using test::instance;
using test::node_name;

class WaitingWorld : public test::EngineWorld {
 public:
  WaitingWorld() {
    policy.hooks = {test::drain_hook};
    policy.deregister = false;
  }
  /// Auto Scaling wants to end its instance; nobody is told.
  Event silent_end(int n) {
    cloud.tags_of_instances[instance(n)] = {{"aws:autoscaling:groupName", group}};
    return ending_node(n);
  }
  /// The same, but another hook holds it.
  Event silent_end(int n, const std::string& hook) {
    Event event = silent_end(n);
    cloud.end_wait(*event.action);
    event.action->hook = hook;
    cloud.wait_for(*event.action);
    return event;
  }
  [[nodiscard]] bool empty(int n) { return cluster.pods_on(node_name(n)).empty(); }
  [[nodiscard]] std::size_t warnings() { return sim.logs.with("hook.unheeded").size(); }
};

TEST(WaitingHooks, OneWhoseMessageWasLostIsWorkedOn) {
  WaitingWorld world;
  const Event lost = world.silent_end(1);
  world.start();
  world.run_for(50s);
  EXPECT_FALSE(world.cluster.node(node_name(1)).unschedulable);  // its message may be on its way
  world.run_for(3min);
  EXPECT_TRUE(world.empty(1));
  EXPECT_FALSE(world.cloud.waits(*lost.action));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.warnings(), 1U);
  EXPECT_EQ(world.engine->metrics().hooks_unheeded.value(), 1U);
}

TEST(WaitingHooks, AShortOneIsKeptAliveBeforeItTimesOut) {
  WaitingWorld world;
  world.policy.hooks = {"short"};
  world.cloud.add_hook(group, "short", 30s);
  const Event lost = world.silent_end(1, "short");
  world.start();
  world.run_for(20s);
  EXPECT_TRUE(world.cloud.waits(*lost.action));
  EXPECT_TRUE(world.cluster.node(node_name(1)).unschedulable);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(WaitingHooks, AMessageThatComesLateJoins) {
  WaitingWorld world;
  const Event late = world.silent_end(1);
  world.start();
  world.run_for(130s);
  ASSERT_EQ(world.warnings(), 1U);
  world.send("m", late);
  world.run_for(5min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_EQ(world.script.count("cloud.complete"), 1U);
}

TEST(WaitingHooks, OneThatAMessageToldOfIsNotBegunTwice) {
  WaitingWorld world;
  world.cloud.add_hook(group, "of-another", 3600s);
  const Event ours = world.silent_end(1);
  Event theirs = ours;
  theirs.action->hook = "of-another";
  world.cloud.wait_for(*theirs.action);
  world.start();
  world.send("m", ours);
  world.run_for(10min);  // the other's hook holds it still
  EXPECT_TRUE(world.cloud.waits(*theirs.action));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  world.stop();
  world.start();
  world.run_for(10min);
  EXPECT_EQ(world.script.count("cloud.complete"), 1U);
  EXPECT_EQ(world.warnings(), 0U);
}

TEST(WaitingHooks, OneIsFoundThoughAnotherHooksMessageBeganTheEnd) {
  WaitingWorld world;
  world.cloud.add_hook(group, "of-another", 3600s);
  const Event ours = world.silent_end(1);
  Event theirs = ours;
  theirs.action->hook = "of-another";
  world.cloud.wait_for(*theirs.action);
  world.start();
  world.send("m", theirs);
  world.run_for(10min);  // long after the node is empty
  EXPECT_TRUE(world.empty(1));
  EXPECT_FALSE(world.cloud.waits(*ours.action));
  EXPECT_TRUE(world.cloud.waits(*theirs.action));
  EXPECT_EQ(world.script.count("cloud.complete"), 1U);
  EXPECT_EQ(world.warnings(), 1U);
}

TEST(WaitingHooks, WhatASettingLeavesAloneIsNotCalledUnheeded) {
  WaitingWorld world;
  world.policy.skip_labels = {{"of-another-system", std::nullopt}};
  const Event skipped = world.silent_end(1);
  world.cluster.edit_node(node_name(1), [](Node& node) { node.labels["of-another-system"] = ""; });
  const Event ignored = world.silent_end(2);
  world.cluster.edit_node(node_name(2),
                          [](Node& node) { node.labels["ferryman.dev/on-asg-terminate"] = "ignore"; });
  world.start();
  world.send("skipped", skipped);
  world.send("ignored", ignored);
  (void)world.silent_end(3);  // and of this one no message tells
  world.cluster.edit_node(node_name(3), [](Node& node) { node.labels["of-another-system"] = ""; });
  world.run_for(10min);
  EXPECT_EQ(world.warnings(), 0U);
  EXPECT_EQ(world.script.count("cloud.complete"), 0U);
  EXPECT_FALSE(world.empty(1));
  EXPECT_FALSE(world.empty(2));
}

TEST(WaitingHooks, OfHooksThatNobodyNamedOnlyThoseHeardOfAreOurs) {
  WaitingWorld world;
  world.policy.hooks = {"*"};
  world.cloud.add_hook("databases", "of-another", 3600s);
  const Event theirs = world.silent_end(1, "of-another");
  world.cloud.groups[instance(1)] = "databases";
  world.cloud.tags_of_instances[instance(1)] = {{"aws:autoscaling:groupName", "databases"}};
  world.start();
  world.send("m", world.silent_end(2));
  world.run_for(3min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  (void)world.silent_end(3);
  world.run_for(4min);
  EXPECT_TRUE(world.empty(3));
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  EXPECT_TRUE(world.cloud.waits(*theirs.action));
  EXPECT_FALSE(world.cluster.node(node_name(1)).unschedulable);
}

TEST(WaitingHooks, OneThatIsNewerThanTheFirstLookIsFound) {
  WaitingWorld world;
  world.policy.hooks = {"new"};
  world.cloud.groups[instance(1)] = group;
  world.cloud.tags_of_instances[instance(1)] = {{"aws:autoscaling:groupName", group}};
  world.start();
  world.run_for(15min);
  world.cloud.add_hook(group, "new", 3600s);
  const Event lost = world.silent_end(1, "new");
  world.run_for(4min);
  EXPECT_TRUE(world.empty(1));
  EXPECT_FALSE(world.cloud.waits(*lost.action));
  EXPECT_EQ(world.warnings(), 1U);
}

TEST(WaitingHooks, WithoutTheRightOneLineSaysWhatIsMissed) {
  WaitingWorld world;
  (void)world.silent_end(1);
  world.script.fail("cloud.members_of", Error(Fault::denied, "AccessDenied", "not authorized"));
  world.start();
  world.run_for(10min);
  EXPECT_EQ(world.sim.logs.with("allow autoscaling:DescribeAutoScalingGroups").size(), 1U);
  EXPECT_FALSE(world.cluster.node(node_name(1)).unschedulable);
}

TEST(WaitingHooks, LookingCostsOneCallAMinuteHoweverManyNodes) {
  WaitingWorld world;
  for (int n = 1; n <= 300; ++n) {
    world.cloud.end_wait(*world.silent_end(n).action);
    world.cloud.set_state(instance(n), "InService");
  }
  world.start();
  world.run_for(60min);
  EXPECT_LE(world.script.count("cloud.members_of"), 70U);
  EXPECT_EQ(world.script.count("cloud.instances"), 1U);
  EXPECT_EQ(world.script.count("cloud.hooks"), 1U);
}

TEST(WaitingHooks, ASettingSwitchesItOff) {
  WaitingWorld world;
  world.policy.look_for_waiting_hooks = false;
  (void)world.silent_end(1);
  world.start();
  world.run_for(10min);
  EXPECT_EQ(world.script.count("cloud.members_of"), 0U);
  EXPECT_FALSE(world.cluster.node(node_name(1)).unschedulable);
}

}  // namespace
}  // namespace ferryman::termination
