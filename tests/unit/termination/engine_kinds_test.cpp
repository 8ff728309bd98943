// SPDX-License-Identifier: Apache-2.0
// Every kind of event, joined into one termination per instance.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "termination/ports/marks.h"
#include "unit/termination/bodies.h"
#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;
using test::node_name;
using test::spot_body;
using test::state_body;

class KindsWorld : public EngineWorld {
 public:
  [[nodiscard]] std::size_t cordons() const {
    return static_cast<std::size_t>(
        std::count_if(cluster.patches.begin(), cluster.patches.end(),
                      [](const NodePatch& p) { return p.unschedulable == true; }));
  }
  [[nodiscard]] WallTime now() const { return sim.clock.wall(); }
};

TEST(Spot, ANoticeDrainsTheNodeBeforeItsTwoMinutesAreOver) {
  KindsWorld world;
  (void)world.ending_node(1);
  world.start();
  world.queue.send("m", spot_body(1, world.now()));
  world.run_for(5s);
  EXPECT_TRUE(world.cluster.node(node_name(1)).unschedulable);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.claim_of(1).deadline, world.claim_of(1).events.front().event_time + 120s);
  world.run_for(1min);
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
  EXPECT_EQ(world.ended(TerminationResult::completed), 1U);
  EXPECT_EQ(world.script.count("cloud.complete"), 0U);
}

TEST(StateChange, WhatABudgetProtectsIsDeletedAtOnce) {
  KindsWorld world;
  (void)world.ending_node(1);
  world.cluster.add_pod(test::FakePod("guarded", node_name(1)).refused(-1).ends_after(5s));
  world.start();
  world.queue.send("m", state_body(1, world.now(), "shutting-down"));
  world.run_for(30s);
  EXPECT_FALSE(world.cluster.has_pod("guarded"));
  EXPECT_EQ(world.ended(TerminationResult::completed), 1U);
}

TEST(Kinds, TheActionOfAKindSaysHowFarItGoes) {
  for (const Action action : {Action::ignore, Action::taint, Action::cordon, Action::drain}) {
    KindsWorld world;
    world.policy.actions_by_kind.at(static_cast<std::size_t>(EventKind::spot_interruption)) = action;
    (void)world.ending_node(1);
    world.start();
    world.queue.send("m", spot_body(1, world.now()));
    world.run_for(1min);
    const Node& node = world.cluster.node(node_name(1));
    EXPECT_EQ(node.taints.size(), action >= Action::taint ? 1U : 0U) << name_of(action);
    EXPECT_EQ(node.unschedulable, action >= Action::cordon) << name_of(action);
    EXPECT_EQ(node.labels.contains(std::string(marks::exclude_label)), action == Action::drain)
        << name_of(action);
    EXPECT_EQ(world.script.count("cluster.evict"), action == Action::drain ? 2U : 0U) << name_of(action);
    EXPECT_FALSE(world.queue.holds("m")) << name_of(action);
  }
}

TEST(Kinds, ANodesLabelNamesItsOwnAction) {
  KindsWorld world;
  (void)world.ending_node(1);
  world.cluster.edit_node(node_name(1),
                          [](Node& n) { n.labels["ferryman.dev/on-spot-interruption"] = "ignore"; });
  world.start();
  world.queue.send("m", spot_body(1, world.now()));
  world.run_for(1min);
  EXPECT_EQ(world.cordons(), 0U);
  EXPECT_EQ(world.messages(MessageOutcome::ignored), 1U);
}

TEST(Kinds, AGroupsTagNamesItsOwnActionWhereThatIsWanted) {
  KindsWorld world;
  world.policy.actions_from_group_tags = true;
  world.cloud.tags_of_groups[test::group] = {{"ferryman.dev/on-asg-terminate", "cordon"}};
  const Event event = world.ending_node(1);
  world.start();
  world.send("m", event);
  world.run_for(1min);
  EXPECT_EQ(world.cordons(), 1U);
  EXPECT_EQ(world.script.count("cluster.evict"), 0U);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Kinds, AnEventThatAsksForMoreRaisesTheAction) {
  KindsWorld world;
  world.policy.actions_by_kind.at(static_cast<std::size_t>(EventKind::state_change)) = Action::taint;
  (void)world.ending_node(1);
  world.start();
  world.queue.send("a", state_body(1, world.now(), "stopping"));
  world.run_for(5s);
  EXPECT_EQ(world.cordons(), 0U);
  world.queue.send("b", spot_body(1, world.now()));
  world.run_for(1min);
  EXPECT_EQ(world.cordons(), 1U);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
}

// Lifecycle hook, spot notice and state change of one instance, in each order and with delays from none to
// after the end.
TEST(Joining, OneCordonOneEvictionPerPodOneCompletionInAnyOrder) {
  for (const Duration delay : {Duration(0s), Duration(3s), Duration(40s), Duration(2min)}) {
    std::array<int, 3> order = {0, 1, 2};
    do {
      KindsWorld world;
      const Event hook = world.ending_node(1);
      world.start();
      world.run_for(1s);
      const std::array bodies = {test::body_of(hook), spot_body(1, world.now()),
                                 state_body(1, world.now(), "shutting-down")};
      for (const int which : order) {
        world.queue.send("m" + std::to_string(which), bodies.at(static_cast<std::size_t>(which)));
        world.run_for(delay);
      }
      world.run_for(3min);
      EXPECT_EQ(world.cordons(), 1U);
      EXPECT_EQ(world.script.count("cluster.evict"), 2U);
      EXPECT_EQ(world.cloud.completions.size(), 1U);
      EXPECT_EQ(world.queue.size(), 0U);
      EXPECT_EQ(world.engine->failures(), 0U);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// A claim is an annotation, whose size Kubernetes bounds.
TEST(Joining, AThousandNoticesOfOneEndFitIntoItsClaim) {
  KindsWorld world;
  (void)world.ending_node(1);
  world.start();
  for (int n = 0; n < 1000; ++n) {
    std::string body = spot_body(1, world.now());
    body.replace(body.find("spot-1"), 6, "spot-" + std::to_string(n));
    world.queue.send("m" + std::to_string(n), body);
  }
  world.run_for(3min);
  EXPECT_LE(world.claim_of(1).events.size(), 50U);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_EQ(world.cordons(), 1U);
}

TEST(Joining, AnothersHookStartsTheDrainAndIsNeverCompleted) {
  KindsWorld world;
  world.policy.hooks = {"ours-*"};
  const Event hook = world.ending_node(1);
  world.start();
  world.send("m", hook);
  world.run_for(3min);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
  EXPECT_EQ(world.script.count("cloud.complete") + world.script.count("cloud.heartbeat"), 0U);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(Joining, ASpotNoticeShortensTheHooksDeadline) {
  KindsWorld world;
  const Event hook = world.ending_node(1);
  world.cluster.add_pod(test::FakePod("slow", node_name(1)).ends_after(30min));
  world.start();
  world.send("m", hook);
  world.run_for(10s);
  EXPECT_GT(world.claim_of(1).deadline, world.now() + 30min);
  world.queue.send("s", spot_body(1, world.now()));
  world.run_for(5s);
  EXPECT_LE(world.claim_of(1).deadline, world.now() + 2min);
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(AfterTheEnd, ANodeThatIsGoneIsAnsweredFromMemory) {
  KindsWorld world;
  const Event hook = world.ending_node(1);
  world.start();
  world.send("m", hook);
  world.run_for(2min);
  world.cluster.remove_node(node_name(1));
  const auto asked = world.script.count("cloud.instances");
  world.queue.send("s", state_body(1, world.now(), "terminated"));
  world.run_for(5s);
  EXPECT_FALSE(world.queue.holds("s"));
  EXPECT_EQ(world.messages(MessageOutcome::handled), 1U);
  EXPECT_EQ(world.script.count("cloud.instances"), asked);
}

TEST(AfterTheEnd, ARestartKnowsItByTheClosedClaim) {
  KindsWorld world;
  const Event hook = world.ending_node(1);
  world.start();
  world.send("m", hook);
  world.run_for(2min);
  world.stop();
  world.start();
  world.queue.send("s", state_body(1, world.now(), "shutting-down"));
  world.run_for(1min);
  EXPECT_EQ(world.cordons(), 1U);
  EXPECT_EQ(world.messages(MessageOutcome::handled), 1U);
  EXPECT_EQ(world.engine->metrics().terminations_started.value(), 0U);
}

TEST(AfterTheEnd, AStateThatNobodyActsOnIsDeletedAndTouchesNothing) {
  KindsWorld world;
  (void)world.ending_node(1);
  world.start();
  world.queue.send("m", state_body(1, world.now(), "running"));
  world.queue.send("n", state_body(1, world.now(), ""));
  world.run_for(5s);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_EQ(world.messages(MessageOutcome::nobodys), 2U);
  EXPECT_TRUE(world.cluster.patches.empty());
}

}  // namespace
}  // namespace ferryman::termination
