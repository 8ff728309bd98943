// SPDX-License-Identifier: Apache-2.0
// What a drain makes of each refusal, and of a kubelet that does not answer.
#include <gtest/gtest.h>

#include "unit/termination/draining_world.h"

namespace ferryman::termination::steps {
namespace {

using namespace std::chrono_literals;
using test::DrainingWorld;
using test::FakePod;
using test::node_name;

Budget budget_of(const std::string& name, std::int64_t allowed) {
  Budget budget;
  budget.budget_namespace = "shop";
  budget.name = name;
  budget.resource_version = name + std::to_string(allowed);
  budget.selector = *parse_label_selector("app=web");
  budget.counted = true;
  budget.desired = 2;
  budget.healthy = 2 + allowed;
  budget.expected = 3;
  budget.allowed = allowed;
  return budget;
}

FakePod web(DrainingWorld& world, const std::string& name) {
  FakePod pod = world.pod(name);
  pod.pod.labels["app"] = "web";
  return pod;
}

TEST(DrainBudgets, TheBudgetAndThePodAreNamedAtTheFirstRefusal) {
  DrainingWorld world;
  world.cluster.set_budgets({budget_of("web", 0)});
  world.cluster.add_pod(web(world, "web-1").refused(-1));
  world.drain_beside();
  world.sim.clock.advance(1s);
  const auto lines = world.sim.logs.with("eviction.blocked");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines.front().find("shop/web-1"), std::string::npos);
  EXPECT_NE(lines.front().find("budget shop/web: 2 pods are healthy and 2 must stay"), std::string::npos);
  ASSERT_EQ(world.notices.count(NoticeKind::pod_blocked), 1U);
  EXPECT_EQ(world.notices.told.back().pod.name, "web-1");
  ASSERT_EQ(world.step->waits_for().size(), 1U);
  EXPECT_NE(world.step->waits_for().front().find("budget shop/web"), std::string::npos);
  world.sim.clock.advance(1min);
  EXPECT_EQ(world.sim.logs.with("eviction.blocked").size(), 1U) << "once is enough";
}

TEST(DrainBudgets, RoomInTheBudgetEndsTheBackOff) {
  DrainingWorld world;
  world.cluster.set_budgets({budget_of("web", 0)});
  world.cluster.add_pod(web(world, "web-1").refused(-1));
  world.drain_beside();
  world.sim.clock.advance(3min);
  const std::size_t before = world.script.count("cluster.evict");
  world.cluster.edit_pod(Uid("uid-web-1"), [](FakePod& pod) { pod.refusals = 0; });
  const auto last = world.script.calls_of("cluster.evict").back().at;
  world.sim.clock.advance(1s);
  ASSERT_LT(last + 10s, world.sim.clock.now() + 32s);
  world.cluster.set_budgets({budget_of("web", 1)});
  world.sim.clock.advance(1s);
  EXPECT_EQ(world.script.count("cluster.evict"), before + 1);
  EXPECT_EQ(world.metrics.pods_evicted.value(), 1U);
}

TEST(DrainBudgets, OnePlaceWakesOneOfMany) {
  DrainingWorld world;
  world.cluster.set_budgets({budget_of("web", 0)});
  for (int n = 0; n < 8; ++n) world.cluster.add_pod(web(world, "web-" + std::to_string(n)).refused(-1));
  world.drain_beside();
  world.sim.clock.advance(2s);
  const std::size_t quiet = world.script.count("cluster.evict");
  world.cluster.set_budgets({budget_of("web", 1)});
  world.sim.clock.advance(1ms);
  EXPECT_LE(world.script.count("cluster.evict"), quiet + 1);
}

TEST(DrainBudgets, AnHourBehindABudgetCostsFewCalls) {
  DrainingWorld world;
  world.plan.delete_from = world.plan.started + 1h;
  world.plan.force_from = world.plan.delete_from + 1min;
  world.plan.deadline = world.plan.delete_from + 2min;
  world.cluster.add_pod(web(world, "web-1").refused(-1));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_LT(world.script.count("cluster.evict"), 200U);
  EXPECT_GE(world.elapsed(), 1h);
}

// Its wait is longer than 80 % of the time; that is no reason to go past its budget.
TEST(DrainBudgets, APodThatWaitedUntilTheDeletePhaseIsEvictedAndNotDeleted) {
  DrainingWorld world;
  world.plan.heeds_waits = true;
  FakePod patient = world.pod("patient").with_grace(5s);
  patient.pod.wait_up_to = 8min + 30s;
  world.cluster.add_pod(patient);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_GE(world.elapsed(), 8min + 30s);
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
  EXPECT_EQ(world.script.count("cluster.delete_pod"), 0U);
}

TEST(DrainBudgets, TwoBudgetsAreNamedAndThePodIsDeletedWhenItsTimeIsOver) {
  DrainingWorld world;
  world.cluster.set_budgets({budget_of("all", 1), budget_of("web", 1)});
  world.cluster.add_pod(web(world, "web-1")
                            .refused(-1)
                            .answering(Eviction(EvictionAnswer::doubly_blocked,
                                                "This pod has more than one PodDisruptionBudget")));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_NE(world.sim.logs.with("eviction.blocked").front().find("shop/all, shop/web"), std::string::npos);
  EXPECT_EQ(world.script.calls_of("cluster.delete_pod").size(), 1U);
  EXPECT_GE(world.script.calls_of("cluster.delete_pod").front().at, world.begin + 8min);
}

TEST(DrainBudgets, WhatAPodWaitsForFollowsItsBudgets) {
  DrainingWorld world;
  world.cluster.set_budgets({budget_of("all", 0), budget_of("web", 0)});
  world.cluster.add_pod(web(world, "web-1")
                            .refused(-1)
                            .answering(Eviction(EvictionAnswer::doubly_blocked,
                                                "This pod has more than one PodDisruptionBudget")));
  world.drain_beside();
  world.sim.clock.advance(1s);
  EXPECT_NE(world.step->waits_for().at(0).find("shop/all, shop/web"), std::string::npos);
  world.cluster.set_budgets({budget_of("web", 0)});
  world.sim.clock.advance(1ms);
  EXPECT_NE(world.step->waits_for().at(0).find("shop/web: 2 pods are healthy"), std::string::npos)
      << world.step->waits_for().at(0);
  EXPECT_EQ(world.sim.logs.with("eviction.blocked").size(), 1U);
}

TEST(DrainRefusals, TheSameFailureAgainIsNoNews) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.fail("cluster.evict", Error(Fault::unexpected, "etcdserver: timeout"));
  EXPECT_TRUE(world.drain().empty);
  auto said = world.sim.logs.with("eviction.failed");
  EXPECT_GT(said.size(), 20U);
  std::erase_if(said, [](const std::string& line) { return line.find("warn") == std::string::npos; });
  EXPECT_EQ(said.size(), 1U);
}

TEST(DrainRefusals, WhatTheServerAsksForIsObeyedWhateverBudgetsSay) {
  DrainingWorld world;
  world.cluster.set_budgets({budget_of("web", 0)});
  world.cluster.add_pod(web(world, "web-1"));
  Error busy(Fault::throttled, "too many requests");
  busy.retry_after = 40s;
  world.script.fail("cluster.evict", busy, 1);
  world.drain_beside();
  world.sim.clock.advance(1s);
  world.cluster.set_budgets({budget_of("web", 1)});
  world.sim.clock.advance(38s);
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
  world.sim.clock.advance(2s);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
}

// An API server may name a day. The node ends before.
TEST(DrainRefusals, APauseThatTheServerAsksForDoesNotOutlastTheTimeToDelete) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  Error busy(Fault::throttled, "too many requests");
  busy.retry_after = 24h;
  world.script.fail("cluster.evict", busy);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
  ASSERT_EQ(world.script.count("cluster.delete_pod"), 1U);
  EXPECT_GE(world.script.calls_of("cluster.delete_pod").front().at, world.begin + 8min);
}

// Seen when its grace does not fit any more: one eviction is tried, and its failure is no reason to wait.
TEST(DrainRefusals, APodThatComesLateIsDeletedWhenItsOnlyEvictionIsDenied) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").with_grace(1min).refused(-1));
  world.script.fail("cluster.evict", Error(Fault::denied, "Forbidden", "may not create pods/eviction"));
  world.drain_beside();
  world.sim.clock.advance(7min + 50s);
  world.cluster.add_pod(world.pod("late").with_grace(5min).ends_after(1s));
  world.sim.clock.advance(31s);
  EXPECT_FALSE(world.cluster.has_pod("late"));
}

TEST(DrainRefusals, AMissingRightToDeleteIsSaidOnceWithItsCure) {
  DrainingWorld world;
  for (const char* name : {"web-1", "web-2"}) world.cluster.add_pod(world.pod(name).refused(-1));
  world.script.fail("cluster.delete_pod", Error(Fault::denied, "Forbidden", "may not delete pods"));
  EXPECT_FALSE(world.drain().empty);
  const auto said = world.sim.logs.with("deletion.denied");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said.front().find("grant"), std::string::npos);
  EXPECT_TRUE(world.sim.logs.with("pod.not_deleted").empty());
  EXPECT_LE(world.script.count("cluster.delete_pod"), 8U);
}

TEST(DrainRefusals, ADeletionIsCalledPastABudgetOnlyWhenABudgetRefused) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.fail("cluster.evict", Error(Fault::unexpected, "etcdserver: timeout"));
  EXPECT_TRUE(world.drain().empty);
  const auto told = std::ranges::find(world.notices.told, NoticeKind::pod_deleted, &Notice::kind);
  ASSERT_NE(told, world.notices.told.end());
  EXPECT_NE(told->text.find("no eviction succeeded"), std::string::npos) << told->text;
}

TEST(DrainRefusals, APodWhoseNamespaceEndsIsWaitedForAndNotAskedAgain) {
  DrainingWorld world;
  world.cluster.add_pod(
      world.pod("web-1").refused(-1).answering(Eviction(EvictionAnswer::leaving, "being terminated")));
  world.drain_beside();
  world.sim.clock.advance(20s);
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
  EXPECT_FALSE(world.result);
  world.cluster.end_pod(Uid("uid-web-1"));
  world.sim.clock.advance(1s);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
}

TEST(DrainRefusals, AMissingRightIsSaidOnceAndThePodsAreDeletedInTheEnd) {
  DrainingWorld world;
  for (const char* name : {"web-1", "web-2"}) world.cluster.add_pod(world.pod(name));
  world.script.fail("cluster.evict", Error(Fault::denied, "Forbidden", "may not create pods/eviction"));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.sim.logs.with("eviction.denied").size(), 1U);
  EXPECT_LT(world.script.count("cluster.evict"), 25U);
  EXPECT_EQ(world.script.count("cluster.delete_pod"), 2U);
}

TEST(DrainRefusals, PodsBehindASilentKubeletGetGraceOneAndAreNotWaitedFor) {
  DrainingWorld world;
  world.cluster.edit_node(node_name(1), [](Node& node) {
    node.ready = false;
    node.unreachable = true;
  });
  world.cluster.add_pod(world.pod("web-1").with_grace(600s).ends_after(std::nullopt));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_LT(world.elapsed(), 40s);
  EXPECT_TRUE(world.cluster.has_pod("web-1"));
  const auto report = world.sim.logs.with("pod.report");
  ASSERT_EQ(report.size(), 1U);
  EXPECT_NE(report.front().find("grace=1"), std::string::npos) << report.front();
  EXPECT_NE(report.front().find("kubelet"), std::string::npos) << report.front();
}

TEST(DrainRefusals, PodsThatASettingKeepsAreNamedAndHoldUpNobody) {
  DrainingWorld world;
  world.policy.drain.force = false;
  world.cluster.add_pod(world.pod("bare").owned_by(""));
  world.cluster.add_pod(world.pod("web"));
  const DrainOutcome outcome = world.drain();
  EXPECT_TRUE(outcome.empty);
  EXPECT_EQ(outcome.report.refused, 1U);
  EXPECT_TRUE(world.cluster.has_pod("bare"));
  EXPECT_EQ(world.sim.logs.with("pod.kept").size(), 1U);
  EXPECT_EQ(world.notices.count(NoticeKind::pod_refused), 1U);
}

}  // namespace
}  // namespace ferryman::termination::steps
