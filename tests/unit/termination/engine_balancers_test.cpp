// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;
using test::FakeBalancers;
using test::FakePod;
using test::instance;
using test::node_name;

const std::string web = FakeBalancers::arn("web");
const std::string api = FakeBalancers::arn("api");

/// Two target groups and a classic balancer; ending nodes are registered in all of them.
class BalancedWorld : public EngineWorld {
 public:
  BalancedWorld() {
    balancers.add_group("web", BalancerType::application, 30s);
    balancers.add_group("api", BalancerType::application, 10s);
    balancers.add_classic("old", 15s);
  }
  /// `n` sends its message and starts to end.
  void end(int n) {
    for (const std::string& pool : {web, api}) balancers.put(pool, instance(n), 30080);
    balancers.put("old", instance(n));
    send("m" + std::to_string(n), ending_node(n));
  }
  [[nodiscard]] bool held(int n) const {
    return balancers.holds(web, instance(n)) || balancers.holds(api, instance(n)) ||
           balancers.holds("old", instance(n));
  }
  [[nodiscard]] Duration when(const std::string& operation, const std::string& what = {}) const {
    return script.calls().at(script.first(operation, what)).at - begin;
  }
};

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
  EXPECT_EQ(claim.deregistered, (std::vector<Deregistration>{{BalancerType::application, api, 30080},
                                                             {BalancerType::application, web, 30080},
                                                             {BalancerType::classic, "old", 0}}));
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
  EXPECT_EQ(world.script.count("balancers.groups"), 1U);
  EXPECT_EQ(world.script.count("balancers.classic"), 1U);
  EXPECT_EQ(world.script.count("balancers.delay"), 2U);
  EXPECT_EQ(world.script.count("balancers.deregister"), 2U);
  EXPECT_EQ(world.script.count("balancers.classic_deregister"), 1U);
  // One look at each group in the scan, one or two when its delay is over.
  EXPECT_LE(world.script.count("balancers.health"), 2U + 2U * 2U);
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
  EXPECT_LE(world.script.count("balancers.health"), std::size_t{groups + 2 * 4});
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

TEST(Balancers, WithoutTheRightToListServicesPodsGoAtOnce) {
  BalancedWorld world;
  world.script.fail("cluster.local_services", Error(Fault::denied, "Forbidden", "cannot list services"));
  world.start();
  world.end(1);
  world.run_for(1min);
  world.end(2);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  EXPECT_EQ(world.sim.logs.with("services.unknown").size(), 1U);
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

TEST(Balancers, ATargetThatComesBackIsDeregisteredAgainUntilThatIsHopeless) {
  BalancedWorld world;
  world.start();
  world.end(1);
  for (int i = 0; i < 100; ++i) {
    world.balancers.put(api, instance(1), 30080);  // another controller insists
    world.run_for(5s);
  }
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.script.calls_of("balancers.deregister").size(), 7U);  // web once, api 1 + 5 times
  EXPECT_EQ(world.sim.logs.with("target.keeps_coming_back").size(), 1U);
}

TEST(Balancers, ABadTargetIsSplitOffAndTheOthersLeave) {
  BalancedWorld world;
  for (int n = 1; n <= 5; ++n) world.end(n);
  world.start();
  world.script.set_latency("balancers.deregister", 100ms);
  world.run_for(80ms);  // scanned; now EC2 forgets one of them
  world.balancers.set_unknown(instance(3));
  world.run_for(2min);
  for (const int n : {1, 2, 4, 5}) EXPECT_FALSE(world.held(n)) << n;
  EXPECT_EQ(world.cloud.completions.size(), 5U);
  EXPECT_LE(world.script.calls_of("balancers.deregister").size(), 2U * 6U);
}

TEST(Balancers, RightsThatLackCostTheLabelOnlyAndHoldNoHook) {
  BalancedWorld world;
  const Error denied(Fault::denied, "AccessDenied", "not authorized to perform: DescribeTargetGroups");
  world.script.fail("balancers.groups", denied);
  world.script.fail("balancers.classic", denied);
  world.start();
  world.end(1);
  world.run_for(25s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_TRUE(world.claim_of(1).excluded);
  EXPECT_EQ(world.sim.logs.with("balancers.not_allowed").size(), 2U);
  world.end(2);
  world.run_for(25s);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  EXPECT_EQ(world.script.count("balancers.groups"), 1U);  // not asked again for a while
}

TEST(Balancers, TheRightToReadAloneHoldsNoHook) {
  BalancedWorld world;
  const Error denied(Fault::denied, "AccessDenied", "not authorized to perform: DeregisterTargets");
  world.script.fail("balancers.deregister", denied);
  world.script.fail("balancers.classic_deregister", denied);
  world.start();
  world.end(1);
  world.run_for(25s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.sim.logs.with("warn  balancers.not_allowed").size(), 1U);
}

TEST(Balancers, CallsThatHangDelayNoHeartbeatAndNoEvictionForLong) {
  BalancedWorld world;
  world.cloud.add_hook("workers-a", "short", 30s);
  for (const char* operation : {"balancers.groups", "balancers.health", "balancers.classic"})
    world.script.hang(operation);
  world.start();
  world.end(1);
  Event second = test::terminate_event(1, "short");
  second.event_time = world.sim.clock.wall();
  world.cloud.wait_for(*second.action);
  world.send("n", second);
  world.run_for(5min);
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
  EXPECT_LT(world.when("cluster.evict"), 65s);
  EXPECT_TRUE(world.cloud.waits(*second.action));
  std::optional<SteadyTime> last;
  for (const auto& beat : world.script.calls_of("cloud.heartbeat")) {
    if (last) EXPECT_LT(beat.at - *last, 15s);
    last = beat.at;
  }
  for (const char* operation : {"balancers.groups", "balancers.health", "balancers.classic"})
    world.script.heal(operation);
  world.run_for(2min);
  EXPECT_FALSE(world.held(1));
  EXPECT_EQ(world.cloud.completions.size(), 2U);
}

TEST(Balancers, ARefusedDeregistrationIsTriedAgain) {
  BalancedWorld world;
  world.script.fail("balancers.deregister", Error(Fault::throttled, "Throttling", "Rate exceeded"), 1);
  world.script.lose_answer("balancers.deregister", 3);
  world.script.lose_answer("balancers.classic_deregister", 1);
  world.start();
  world.end(1);
  world.run_for(2min);
  EXPECT_FALSE(world.held(1));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.ended(TerminationResult::completed), 1U);
}

TEST(Balancers, WhatHoldsTheNodeAtTheDeadlineIsNamed) {
  BalancedWorld world;
  world.policy.max_termination_time = 60s;
  world.policy.margin = 5s;
  world.script.fail("balancers.deregister", Error(Fault::unexpected, "InternalFailure", "try later"));
  world.start();
  world.end(1);
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.ended(TerminationResult::cut_short), 1U);
  const auto lines = world.sim.logs.with("settle.cut_short");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("target group web: not deregistered, try later"), std::string::npos) << lines[0];
}

TEST(Balancers, AGroupThatIsDeletedMeanwhileHoldsNobody) {
  BalancedWorld world;
  world.script.fail("balancers.deregister", Error(Fault::not_found, "TargetGroupNotFound", "gone"));
  world.start();
  world.end(1);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Balancers, ARestartWaitsForWhatAnEarlierRunDeregistered) {
  BalancedWorld world;
  world.start();
  world.end(1);
  world.run_for(5s);
  const Duration told = world.when("balancers.deregister", web);
  world.stop();
  world.start();
  world.run_for(20s);
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(30s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_GE(world.when("cloud.complete"), told + 30s);
  EXPECT_EQ(world.script.calls_of("balancers.deregister").size(), 2U);  // not done twice
}

TEST(Balancers, AClassicBalancerThatDrainsStillIsWaitedForAfterARestart) {
  EngineWorld world;
  world.balancers.add_classic("slow", 60s);
  world.balancers.put("slow", instance(1));
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(5s);
  world.stop();
  world.start();
  world.run_for(50s);
  EXPECT_TRUE(world.balancers.holds("slow", instance(1)));
  EXPECT_TRUE(world.cloud.completions.empty());
  world.run_for(30s);
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
