// SPDX-License-Identifier: Apache-2.0
// Ends that may come to nothing: their time, their turn, and how they are taken back.
#include <gtest/gtest.h>

#include "termination/decision.h"
#include "termination/ports/marks.h"
#include "unit/termination/balanced_world.h"
#include "unit/termination/bodies.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::HealthNotice;
using test::node_name;

class VoluntaryWorld : public test::BalancedWorld {
 public:
  VoluntaryWorld() {
    policy.actions_by_kind.at(static_cast<std::size_t>(EventKind::rebalance_recommendation)) = Action::drain;
  }
  [[nodiscard]] WallTime now() const { return sim.clock.wall(); }
  [[nodiscard]] bool cordoned(int n) const { return cluster.node(node_name(n)).unschedulable; }
  [[nodiscard]] int cordoned_of(int nodes) const {
    int count = 0;
    for (int n = 1; n <= nodes; ++n) count += cordoned(n) ? 1 : 0;
    return count;
  }
  void add_nodes(int nodes) {
    for (int n = 1; n <= nodes; ++n) (void)ending_node(n);
  }
  [[nodiscard]] HealthNotice notice(std::vector<int> instances, Duration ahead) const {
    HealthNotice made;
    made.instances = std::move(instances);
    made.time = now();
    made.starts = now() + ahead;
    return made;
  }
};

TEST(Voluntary, AScheduledStopIsActedOnAtOnceAndAForeignEntityIsLeftOut) {
  VoluntaryWorld world;
  world.policy.voluntary_share = 100;
  world.add_nodes(2);
  world.start();
  world.queue.send("m", health_body(world.notice({1, 2, 9}, 11 * 24h)));
  world.run_for(10s);
  EXPECT_TRUE(world.cordoned(1) && world.cordoned(2));
  EXPECT_EQ(world.script.count("cloud.heartbeat"), 0U);
}

TEST(Voluntary, ARebootWaitsForItsLeadAndSurvivesARestart) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.start();
  HealthNotice notice = world.notice({1}, 24h);
  notice.code = "AWS_EC2_INSTANCE_REBOOT_MAINTENANCE_SCHEDULED";
  world.queue.send("m", health_body(notice));
  world.run_for(10s);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_FALSE(world.cordoned(1));
  EXPECT_TRUE(world.cluster.node(node_name(1)).taints.empty());
  world.stop();
  world.start();
  world.run_for(23h + 49min - 20s);
  EXPECT_FALSE(world.cordoned(1));
  world.run_for(2min);
  EXPECT_TRUE(world.cordoned(1));
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
}

TEST(Voluntary, ALaterNoticeOfThePlanReplacesItsTime) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.start();
  HealthNotice notice = world.notice({1}, 24h);
  notice.code = "AWS_EC2_INSTANCE_REBOOT_MAINTENANCE_SCHEDULED";
  world.queue.send("m", health_body(notice));
  world.run_for(1h);
  notice.starts += 24h;
  notice.status = "moved";
  world.queue.send("n", health_body(notice));
  world.run_for(24h);
  EXPECT_FALSE(world.cordoned(1));
  EXPECT_EQ(world.claim_of(1).events.size(), 1U);
  world.run_for(23h);
  EXPECT_TRUE(world.cordoned(1));
}

TEST(Voluntary, AClosedPlanThatWaitsIsForgotten) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.start();
  HealthNotice notice = world.notice({1}, 24h);
  notice.code = "AWS_EC2_INSTANCE_REBOOT_MAINTENANCE_SCHEDULED";
  world.queue.send("m", health_body(notice));
  world.run_for(1h);
  notice.status = "closed";
  world.queue.send("n", health_body(notice));
  world.run_for(5s);
  EXPECT_TRUE(world.cluster.node(node_name(1)).claim.empty());
  EXPECT_EQ(world.queue.size(), 0U);
  world.run_for(48h);
  EXPECT_FALSE(world.cordoned(1));
  EXPECT_EQ(world.script.count("cluster.evict"), 0U);
}

TEST(Voluntary, AClosedPlanThatWasCarriedOutIsUndone) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.put_everywhere(1);
  world.start();
  HealthNotice notice = world.notice({1}, 24h);
  world.queue.send("m", health_body(notice));
  world.run_for(10min);
  EXPECT_TRUE(world.cordoned(1));
  EXPECT_TRUE(world.claim_of(1).closed);
  notice.status = "closed";
  world.queue.send("n", health_body(notice));
  world.run_for(1min);
  EXPECT_FALSE(world.cordoned(1));
  EXPECT_TRUE(world.cluster.node(node_name(1)).taints.empty());
  EXPECT_FALSE(world.cluster.node(node_name(1)).labels.contains(std::string(marks::exclude_label)));
  EXPECT_TRUE(world.in_everything(1));
  EXPECT_EQ(world.queue.size(), 0U);
}

TEST(Voluntary, ARebootThatHappensDuringTheDrainEndsIt) {
  VoluntaryWorld world;
  world.add_nodes(1);
  const auto boot = [&](const std::string& id) {
    world.cluster.edit_node(node_name(1), [&](Node& node) { node.boot_id = id; });
  };
  boot("boot-1");
  world.cluster.add_pod(test::FakePod("guarded", node_name(1)).refused(-1));
  world.start();
  world.queue.send("m", health_body(world.notice({1}, 24h)));
  world.run_for(1min);
  EXPECT_TRUE(world.cordoned(1));
  boot("boot-2");
  world.run_for(10s);
  EXPECT_FALSE(world.cordoned(1));
  EXPECT_TRUE(world.cluster.has_pod("guarded"));
  EXPECT_EQ(world.ended(TerminationResult::cancelled), 1U);
}

TEST(Voluntary, AHumansCordonStaysWhenOursIsTakenBack) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.cluster.edit_node(node_name(1), [](Node& node) { node.unschedulable = true; });
  world.start();
  HealthNotice notice = world.notice({1}, 24h);
  world.queue.send("m", health_body(notice));
  world.run_for(5min);
  notice.status = "closed";
  world.queue.send("n", health_body(notice));
  world.run_for(1min);
  EXPECT_TRUE(world.cordoned(1));
  EXPECT_TRUE(world.cluster.node(node_name(1)).taints.empty());
}

TEST(Voluntary, ATenthOfTheNodesAtATime) {
  VoluntaryWorld world;
  world.add_nodes(30);
  world.start();
  for (int n = 1; n <= 30; ++n)
    world.queue.send("m" + std::to_string(n), test::rebalance_body(n, world.now()));
  world.run_for(20min);
  EXPECT_EQ(world.cordoned_of(30), 3);
  EXPECT_EQ(world.queue.size(), 0U);
  // The first three stay, nothing comes of it; their turn passes on.
  world.run_for(35min);
  EXPECT_EQ(world.cordoned_of(30), 3);
  EXPECT_GE(world.engine->metrics().marks_taken_back.value(), 3U);
}

TEST(Voluntary, EachGroupHasItsOwnShare) {
  VoluntaryWorld world;
  world.policy.group_labels = {"pool"};
  world.policy.voluntary_share = 20;
  world.add_nodes(10);
  for (int n = 1; n <= 10; ++n)
    world.cluster.edit_node(node_name(n), [&](Node& node) { node.labels["pool"] = n <= 5 ? "a" : "b"; });
  world.start();
  for (int n = 1; n <= 5; ++n)
    world.queue.send("m" + std::to_string(n), test::rebalance_body(n, world.now()));
  world.run_for(10min);
  EXPECT_EQ(world.cordoned_of(10), 1);
}

TEST(Voluntary, AYoungNodeIsLeftInPeaceForAWhile) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.cluster.edit_node(node_name(1), [&](Node& node) { node.created = world.now() - 2min; });
  world.start();
  world.queue.send("m", test::rebalance_body(1, world.now()));
  world.run_for(7min);
  EXPECT_FALSE(world.cordoned(1));
  world.run_for(2min);
  EXPECT_TRUE(world.cordoned(1));
}

TEST(Voluntary, WhatIsForcedDoesNotWaitForATurn) {
  VoluntaryWorld world;
  world.add_nodes(2);
  world.start();
  world.queue.send("a", test::rebalance_body(1, world.now()));
  world.queue.send("b", test::rebalance_body(2, world.now()));
  world.run_for(1min);
  EXPECT_EQ(world.cordoned_of(2), 1);
  world.queue.send("c", test::spot_body(1, world.now()));
  world.queue.send("d", test::spot_body(2, world.now()));
  world.run_for(5s);
  EXPECT_EQ(world.cordoned_of(2), 2);
}

TEST(Voluntary, APodThatIsForForcedEndsOnlyStaysUntilTheEndIsForced) {
  VoluntaryWorld world;
  world.add_nodes(1);
  test::FakePod pod("kept", node_name(1));
  pod.pod.forced_ends_only = true;
  world.cluster.add_pod(pod);
  world.start();
  world.queue.send("a", test::rebalance_body(1, world.now()));
  world.run_for(10min);
  EXPECT_EQ(world.cluster.pods_on(node_name(1)).size(), 1U);
  world.queue.send("b", test::spot_body(1, world.now()));
  world.run_for(1min);
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
}

TEST(Voluntary, ABudgetIsNeverOverriddenForARecommendation) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.cluster.add_pod(test::FakePod("guarded", node_name(1)).refused(-1));
  world.start();
  world.queue.send("a", test::rebalance_body(1, world.now()));
  world.run_for(3h);
  EXPECT_TRUE(world.cluster.has_pod("guarded"));
  EXPECT_EQ(world.script.count("cluster.delete_pod"), 0U);
}

TEST(Voluntary, MaintenanceOfTheNetworkIsNotActedOn) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.start();
  HealthNotice notice = world.notice({1}, 1h);
  notice.code = "AWS_EC2_INSTANCE_NETWORK_MAINTENANCE_SCHEDULED";
  world.queue.send("m", health_body(notice));
  world.run_for(2h);
  EXPECT_TRUE(world.cluster.patches.empty());
  EXPECT_EQ(world.messages(MessageOutcome::ignored), 1U);
}

}  // namespace
}  // namespace ferryman::termination
