// SPDX-License-Identifier: Apache-2.0
// Ends that may come to nothing: their time, their turn, and how they are taken back.
#include <gtest/gtest.h>

#include "unit/termination/voluntary_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::node_name;
using test::VoluntaryWorld;

// The undoing must not hold up an end that is real.
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

}  // namespace
}  // namespace ferryman::termination
