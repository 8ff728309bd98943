// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/termination/balanced_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::api;
using test::BalancedWorld;
using test::EngineWorld;
using test::FakeBalancers;
using test::FakePod;
using test::instance;
using test::node_name;
using test::web;

TEST(Balancers, ANodeLeavesThemBeforeTheFirstEvictionAndIsLetGoBeforeTheCompletion) {
  BalancedWorld world;
  world.start();
  world.end(1);
  world.run_for(30s);
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
  EXPECT_TRUE(world.cloud.completions.empty());  // web drains for 30 s
  world.run_for(30s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_FALSE(world.held(1));
  const auto evicted = world.script.first("cluster.evict");
  EXPECT_LT(world.script.first("balancers.deregister", web), evicted);
  EXPECT_LT(world.script.first("balancers.deregister", api), evicted);
  EXPECT_LT(world.script.first("balancers.classic_deregister", "old"), evicted);
  EXPECT_GE(world.when("cloud.complete"), world.when("balancers.deregister", web) + 30s);
  EXPECT_LT(world.when("cloud.complete"), world.when("balancers.deregister", web) + 33s);
}

TEST(Balancers, TheLabelAndTheClaimSayWhatWasDone) {
  BalancedWorld world;
  world.start();
  world.end(1);
  world.run_for(1min);
  const Node& node = world.cluster.node(node_name(1));
  EXPECT_TRUE(node.labels.contains("node.kubernetes.io/exclude-from-external-load-balancers"));
  const Claim claim = world.claim_of(1);
  EXPECT_TRUE(claim.excluded);
  const std::vector<Deregistration> all = {{BalancerType::application, api, 30080},
                                           {BalancerType::application, web, 30080},
                                           {BalancerType::classic, "old", 0}};
  EXPECT_TRUE(
      std::is_permutation(all.begin(), all.end(), claim.deregistered.begin(), claim.deregistered.end()));
  // Written before it was done: the second PATCH precedes the first deregistration.
  const auto patches = world.script.calls_of("cluster.patch_node");
  ASSERT_GE(patches.size(), 2U);
  EXPECT_LT(patches[1].at - world.begin, world.when("balancers.deregister"));
}

TEST(Balancers, ALabelThatWasThereIsNotOurs) {
  BalancedWorld world;
  const Event event = world.ending_node(1);
  world.cluster.edit_node(node_name(1), [](Node& node) {
    node.labels["node.kubernetes.io/exclude-from-external-load-balancers"] = "by-hand";
  });
  world.start();
  world.send("m", event);
  world.run_for(1min);
  EXPECT_FALSE(world.claim_of(1).excluded);
  EXPECT_EQ(
      world.cluster.node(node_name(1)).labels.at("node.kubernetes.io/exclude-from-external-load-balancers"),
      "by-hand");
}

TEST(Balancers, NodesThatEndTogetherShareTheCalls) {
  BalancedWorld world;
  constexpr int nodes = 30;
  for (int n = 1; n <= nodes; ++n) world.end(n);
  world.start();
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), std::size_t{nodes});
  EXPECT_LE(world.script.count("balancers.groups"), 2U);  // and once more since they are marked
  EXPECT_LE(world.script.count("balancers.classic"), 2U);
  EXPECT_EQ(world.script.count("balancers.delay"), 2U);
  EXPECT_EQ(world.script.count("balancers.deregister"), 2U);
  EXPECT_EQ(world.script.count("balancers.classic_deregister"), 1U);
  // One look at each group by the index, one or two since the nodes are marked, one or two when its delay is
  // over.
  EXPECT_LE(world.script.count("balancers.health"), 2U * 5U);
}

TEST(Balancers, AScanThatTakesLongIsMadeOnce) {
  EngineWorld world;
  constexpr int groups = 200;
  for (int i = 0; i < groups; ++i)
    world.balancers.add_group("g" + std::to_string(i), BalancerType::application, 5s);
  for (int i = 0; i < groups; i += 50)
    world.balancers.put(FakeBalancers::arn("g" + std::to_string(i)), instance(1), 80);
  world.script.set_latency("balancers.health", 8s);
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(10min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_LE(world.script.count("balancers.health"), std::size_t{3 * groups});  // once more since it is marked
}

TEST(Balancers, NoCallTakesMoreThanTwoHundredTargets) {
  EngineWorld world;
  world.balancers.add_group("web", BalancerType::application, 5s);
  constexpr int nodes = 250;
  for (int n = 1; n <= nodes; ++n) {
    world.balancers.put(web, instance(n), 80);
    world.send("m" + std::to_string(n), world.ending_node(n));
  }
  world.start();
  world.run_for(10min);
  EXPECT_EQ(world.cloud.completions.size(), std::size_t{nodes});
  EXPECT_LE(world.balancers.largest_batch, 200U);
  EXPECT_LE(world.script.count("balancers.deregister"), 10U);
}

TEST(Balancers, PodsThatTakeTrafficOnTheNodeStayUntilNothingIsSentAnyMore) {
  BalancedWorld world;
  world.start();
  world.end(1);
  FakePod gateway("gateway", node_name(1));
  gateway.pod.host_network = true;
  world.cluster.add_pod(std::move(gateway));
  world.run_for(15s);
  EXPECT_TRUE(world.cluster.has_pod("gateway"));
  world.run_for(1min);
  EXPECT_FALSE(world.cluster.has_pod("gateway"));
  const Duration told = world.when("balancers.deregister");
  Duration evicted{0};
  for (const auto& call : world.script.calls_of("cluster.evict")) {
    if (call.what.find("gateway") != std::string::npos) evicted = call.at - world.begin;
  }
  EXPECT_GE(evicted, told + 20s);
  EXPECT_LT(evicted, told + 23s);
  EXPECT_LT(world.when("cluster.evict"), told + 2s);  // the others went at once
}

TEST(Balancers, PodsBehindALocalServiceStayToo) {
  BalancedWorld world;
  LocalService ingress;
  ingress.service_namespace = "shop";
  ingress.selector = {{"app", "ingress"}};
  world.cluster.services = {ingress};
  world.start();
  world.end(1);
  FakePod behind("behind", node_name(1));
  behind.pod.labels = {{"app", "ingress"}, {"tier", "edge"}};
  FakePod elsewhere("elsewhere", node_name(1));
  elsewhere.pod.labels = {{"app", "ingress"}};
  elsewhere.pod.key.pod_namespace = "other";
  world.cluster.add_pod(std::move(behind));
  world.cluster.add_pod(std::move(elsewhere));
  world.run_for(15s);
  EXPECT_TRUE(world.cluster.has_pod("behind"));
  EXPECT_FALSE(world.cluster.has_pod("elsewhere"));
  world.run_for(45s);
  EXPECT_FALSE(world.cluster.has_pod("behind"));
  EXPECT_EQ(world.script.count("cluster.local_services"), 1U);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Balancers, NetworkLoadBalancersSendOnForLonger) {
  EngineWorld world;
  world.balancers.add_group("tcp", BalancerType::network, 5s);
  world.balancers.put(FakeBalancers::arn("tcp"), instance(1), 443);
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(120s);
  EXPECT_FALSE(world.balancers.holds(FakeBalancers::arn("tcp"), instance(1)));
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(20s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Balancers, WhenNotWantedNothingIsAskedOrMarked) {
  BalancedWorld world;
  world.policy.deregister = false;
  world.start();
  world.end(1);
  world.run_for(30s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_TRUE(world.held(1));
  EXPECT_EQ(world.script.count("balancers.groups"), 0U);
  EXPECT_TRUE(world.cluster.node(node_name(1)).labels.empty());
}

}  // namespace
}  // namespace ferryman::termination
