// SPDX-License-Identifier: Apache-2.0
// Changes that AWS Health announces: planned, moved, closed, carried out and undone.
#include <gtest/gtest.h>

#include "termination/decision.h"
#include "termination/ports/marks.h"
#include "unit/termination/voluntary_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::HealthNotice;
using test::node_name;
using test::VoluntaryWorld;

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
  HealthNotice notice = world.reboot_notice({1}, 24h);
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
  HealthNotice notice = world.reboot_notice({1}, 24h);
  world.queue.send("m", health_body(notice));
  world.run_for(1h);
  notice.starts += 24h;
  notice.status = "moved";
  notice.time = world.now();
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
  HealthNotice notice = world.reboot_notice({1}, 24h);
  world.queue.send("m", health_body(notice));
  world.run_for(1h);
  world.close(notice);
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
  world.close(notice);
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

TEST(Voluntary, NoticesOfAPlanMayArriveInAnyOrder) {
  VoluntaryWorld world;
  world.add_nodes(2);
  world.start();
  // Closed first, then the older notice that announced it.
  HealthNotice notice = world.notice({1}, 1h);
  notice.status = "closed";
  notice.time = world.now() - 10s;
  world.queue.send("closed", health_body(notice));
  world.run_for(5s);
  notice.status = "upcoming";
  notice.time = world.now() - 60s;
  world.queue.send("open", health_body(notice));
  // Moved two days ahead first, then the older notice.
  HealthNotice moved = world.reboot_notice({2}, 48h);
  moved.plan = "plan-2";
  world.queue.send("moved", health_body(moved));
  world.run_for(5s);
  moved.time -= 1h;
  moved.starts = world.now() + 1min;
  world.queue.send("before", health_body(moved));
  world.run_for(1h);
  EXPECT_FALSE(world.cordoned(1) || world.cordoned(2));
  EXPECT_EQ(world.queue.size(), 0U);
}

TEST(Voluntary, OfTwoPlansOneMayBeClosed) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.start();
  HealthNotice first = world.reboot_notice({1}, 1h);
  HealthNotice second = world.notice({1}, 2h);
  second.code = first.code;
  second.plan = "plan-2";
  world.queue.send("a", health_body(first));
  world.queue.send("b", health_body(second));
  world.run_for(1min);
  EXPECT_EQ(world.claim_of(1).events.size(), 2U);
  world.close(first);
  world.run_for(10s);
  EXPECT_EQ(world.claim_of(1).events.size(), 1U);
  EXPECT_EQ(world.queue.size(), 0U);
  world.run_for(1h);
  EXPECT_FALSE(world.cordoned(1));
  world.run_for(55min);
  EXPECT_TRUE(world.cordoned(1));
}

TEST(Voluntary, WhatIsCancelledInTheMiddleIsNoError) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.cluster.add_pod(test::FakePod("guarded", node_name(1)).refused(-1));
  world.start();
  HealthNotice notice = world.notice({1}, 24h);
  world.queue.send("a", health_body(notice));
  world.run_for(1min);
  world.close(notice);
  world.run_for(1min);
  EXPECT_FALSE(world.cordoned(1));
  EXPECT_TRUE(world.sim.logs.with("error ").empty());
  EXPECT_EQ(world.engine->metrics().pods_left.value(), 0U);
}

TEST(Voluntary, AHookThatComesWhileMarksAreTakenBackIsKeptAlive) {
  VoluntaryWorld world;
  const Event hook = world.ending_node(1);
  world.put_everywhere(1);
  world.start();
  HealthNotice notice = world.notice({1}, 24h);
  world.queue.send("a", health_body(notice));
  world.run_for(10min);
  world.script.fail("balancers.register", Error(Fault::unexpected, "InternalFailure", "no"));
  world.close(notice);
  world.run_for(5s);
  Event fresh = hook;
  fresh.event_time = world.now();
  world.cloud.wait_for(*fresh.action);
  world.send("m", fresh);
  world.run_for(5min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_TRUE(world.cordoned(1));
}

TEST(Voluntary, WhileWorkIsPausedNoPlanBegins) {
  VoluntaryWorld world;
  world.policy.pause_namespace = "ferryman";
  world.policy.pause_name = "pause";
  world.add_nodes(1);
  world.start();
  HealthNotice notice = world.reboot_notice({1}, 1h);
  world.queue.send("a", health_body(notice));
  world.run_for(1min);
  world.cluster.config_maps["ferryman/pause"] = {{"paused", "true"}};
  world.run_for(58min);
  EXPECT_FALSE(world.cordoned(1));
  world.cluster.config_maps.clear();
  world.run_for(15s);
  EXPECT_TRUE(world.cordoned(1));
}

TEST(Voluntary, AChangeThatIsNearWaitsForNobodysTurn) {
  VoluntaryWorld world;
  world.add_nodes(3);
  world.start();
  world.queue.send("far", health_body(world.notice({1, 2}, 5 * 24h)));
  world.run_for(1min);
  EXPECT_EQ(world.cordoned_of(3), 1);
  HealthNotice near = world.notice({3}, 10min);
  near.plan = "plan-2";
  world.queue.send("near", health_body(near));
  world.run_for(10s);
  EXPECT_TRUE(world.cordoned(3));
  EXPECT_EQ(world.claim_of(3).deadline, world.claim_of(3).events.front().change->starts);
}

TEST(Voluntary, AHumansCordonStaysWhenOursIsTakenBack) {
  VoluntaryWorld world;
  world.add_nodes(1);
  world.cluster.edit_node(node_name(1), [](Node& node) { node.unschedulable = true; });
  world.start();
  HealthNotice notice = world.notice({1}, 24h);
  world.queue.send("m", health_body(notice));
  world.run_for(5min);
  world.close(notice);
  world.run_for(1min);
  EXPECT_TRUE(world.cordoned(1));
  EXPECT_TRUE(world.cluster.node(node_name(1)).taints.empty());
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
