// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/outlook.h"

#include <gtest/gtest.h>

#include "support/simulation.h"
#include "unit/termination/fakes/fake_cluster.h"

namespace ferryman::termination::drain {
namespace {

using test::FakePod;

/// A node "n" and what would become of its pods.
class DrainOutlook : public testing::Test {
 protected:
  DrainOutlook() {
    Node node;
    node.name = "n";
    node.uid = Uid("uid-n");
    cluster.add_node(node);
    cluster.known_daemon_sets = {"shop/shop"};
  }

  Result<NodeOutlook> look(const std::string& node = "n") {
    return sim.run(
        look_ahead(cluster, policy, sim.clock, node, Deadline::after(sim.clock, std::chrono::seconds{10})));
  }

  test::Simulation sim;
  test::Script script{sim.clock};
  test::FakeCluster cluster{sim.clock, script, sim.scope};
  Policy policy;
};

Budget budget(const std::string& name, std::int64_t allowed) {
  Budget made;
  made.budget_namespace = "shop";
  made.name = name;
  made.counted = true;
  made.allowed = allowed;
  made.healthy = made.desired = 3;
  made.expected = 4;
  return made;
}

TEST_F(DrainOutlook, EachPodHasItsVerdictForBothKindsOfEnd) {
  FakePod kept("kept", "n");
  kept.pod.forced_ends_only = true;
  cluster.add_pod(kept);
  cluster.add_pod(FakePod("agent", "n").owned_by("DaemonSet"));
  cluster.add_pod(FakePod("elsewhere", "m"));
  policy.own_namespace = "shop";
  policy.own_pod = "kept";
  const auto outlook = look();
  ASSERT_TRUE(outlook);
  ASSERT_EQ(outlook->pods.size(), 2U);
  EXPECT_EQ(outlook->pods[0].verdict.reason, "daemon set");
  EXPECT_FALSE(outlook->pods[0].own);
  EXPECT_EQ(outlook->pods[1].verdict.treatment, Treatment::evict);
  EXPECT_EQ(outlook->pods[1].if_voluntary.treatment, Treatment::keep);
  EXPECT_TRUE(outlook->pods[1].own);
}

TEST_F(DrainOutlook, WhatAPodWaitsForIsSeen) {
  FakePod late("a-late", "n");
  late.pod.labels = {{"ferryman.dev/drain-wave", "7"}};
  late.pod.host_network = true;
  cluster.add_pod(late);
  FakePod misread("b-misread", "n");
  misread.pod.labels = {{"ferryman.dev/drain-wave", "last"}};
  cluster.add_pod(misread);
  cluster.add_pod(FakePod("c-agent", "n").owned_by("DaemonSet"));
  const auto outlook = look();
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->pods[0].wave, 7);
  EXPECT_TRUE(outlook->pods[0].traffic);
  EXPECT_EQ(outlook->pods[1].wave, 0);
  EXPECT_FALSE(outlook->pods[1].traffic);
  EXPECT_NE(outlook->pods[1].pod.misread.find("no whole number"), std::string::npos);
  EXPECT_EQ(outlook->pods[2].wave, std::nullopt);
  policy.deregister = false;
  EXPECT_FALSE(look()->pods[0].traffic);
}

TEST_F(DrainOutlook, ABudgetWithoutRoomIsNamedWithItsNumbers) {
  cluster.add_pod(FakePod("web", "n"));
  cluster.set_budgets({budget("web", 1)});
  EXPECT_EQ(look()->pods[0].blocked, "");
  cluster.set_budgets({budget("web", 0)});
  EXPECT_EQ(look()->pods[0].blocked, "budget shop/web: 3 pods are healthy and 3 must stay");
  cluster.set_budgets({budget("web", 1), budget("web-2", 1)});
  EXPECT_NE(look()->pods[0].blocked.find("budgets shop/web, shop/web-2"), std::string::npos);
}

TEST_F(DrainOutlook, ABudgetHoldsNoPodThatIsNotEvictedOrNotReadyBesideEnoughOthers) {
  cluster.set_budgets({budget("web", 0)});
  cluster.add_pod(FakePod("done", "n").in_phase("Succeeded"));
  FakePod unready("unready", "n");
  unready.pod.unready_since = sim.clock.wall();
  cluster.add_pod(unready);
  const auto outlook = look();
  for (const PodOutlook& pod : outlook->pods) EXPECT_EQ(pod.blocked, "") << pod.pod.key.name;
}

TEST_F(DrainOutlook, RightsThatLackCostOnlyWhatTheyWouldTell) {
  cluster.add_pod(FakePod("agent", "n").owned_by("DaemonSet"));
  cluster.known_daemon_sets.clear();
  EXPECT_EQ(look()->pods[0].verdict.reason, "its daemon set is gone");
  script.fail("cluster.daemon_sets", Error(Fault::denied, "no"));
  script.fail("cluster.view_budgets", Error(Fault::denied, "no"));
  const auto outlook = look();
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->pods[0].verdict.reason, "daemon set");
  EXPECT_EQ(outlook->unseen.size(), 2U);
}

TEST_F(DrainOutlook, ANodeThatIsNotThereIsAnError) {
  EXPECT_EQ(look("gone").error().fault, Fault::not_found);
}

}  // namespace
}  // namespace ferryman::termination::drain
