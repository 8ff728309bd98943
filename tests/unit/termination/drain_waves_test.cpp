// SPDX-License-Identifier: Apache-2.0
// Order of a drain: waves, DaemonSet pods, our own pod; and what the report says afterwards.
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/termination/draining_world.h"

namespace ferryman::termination::steps {
namespace {

using namespace std::chrono_literals;
using test::DrainingWorld;
using test::FakePod;

/// When the pod was first asked, from the start.
Duration asked_at(const DrainingWorld& world, const std::string& operation, const std::string& pod) {
  for (const auto& call : world.script.calls_of(operation)) {
    if (call.what == pod) return call.at - world.begin;
  }
  return Duration::max();
}

FakePod in_wave(FakePod pod, const std::string& wave) {
  pod.pod.labels["ferryman.dev/drain-wave"] = wave;
  return pod;
}

TEST(DrainWaves, EachIsGoneBeforeTheNextIsAsked) {
  DrainingWorld world;
  world.cluster.add_pod(in_wave(world.pod("client").ends_after(20s), "-1"));
  world.cluster.add_pod(world.pod("server").ends_after(30s));
  FakePod dns = world.pod("dns").ends_after(1s);
  dns.pod.priority = 2'000'000'000;
  world.cluster.add_pod(std::move(dns));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_LT(asked_at(world, "cluster.evict", "client"), 1s);
  EXPECT_GE(asked_at(world, "cluster.evict", "server"), 20s);
  EXPECT_GE(asked_at(world, "cluster.evict", "dns"), 50s);
}

TEST(DrainWaves, AStuckWaveHoldsTheNextOnlyUntilItsLatestStart) {
  DrainingWorld world;
  world.cluster.add_pod(in_wave(world.pod("stuck").ends_after(std::nullopt), "0"));
  world.cluster.add_pod(in_wave(world.pod("next").with_grace(60s), "1"));
  EXPECT_FALSE(world.drain().empty);
  const Duration asked =
      std::min(asked_at(world, "cluster.evict", "next"), asked_at(world, "cluster.delete_pod", "next"));
  EXPECT_LE(asked, 10min - 60s - 15s);
  EXPECT_GE(asked, 8min);
}

TEST(DrainWaves, WhatIsSaidOfAPodThatIsNotAskedYetIsWhatItWaitsFor) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("first").ends_after(20s));
  world.cluster.add_pod(in_wave(world.pod("next"), "1"));
  FakePod late = world.pod("late");
  late.pod.wait_up_to = 5min;
  world.cluster.add_pod(std::move(late));
  world.plan.heeds_waits = true;
  world.drain_beside();
  world.sim.clock.advance(1s);
  std::vector<std::string> texts = world.step->waits_for();
  std::ranges::sort(texts);
  EXPECT_EQ(texts,
            (std::vector<std::string>{"pod shop/first: evicted, terminating",
                                      "pod shop/late: not asked yet, its annotation ferryman.dev/wait-up-to",
                                      "pod shop/next: not asked yet, pods of an earlier wave are left"}));
}

TEST(DrainWaves, AWaveThatIsNoNumberIsTheUsualOne) {
  DrainingWorld world;
  world.cluster.add_pod(in_wave(world.pod("odd"), "first"));
  world.cluster.add_pod(world.pod("web"));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_LT(asked_at(world, "cluster.evict", "odd"), 1s);
  EXPECT_EQ(world.sim.logs.with("annotation.unreadable").size(), 1U);
}

TEST(DrainWaves, SelectedDaemonSetPodsGoLastByDeleteAndTheirSuccessorsStay) {
  DrainingWorld world;
  world.policy.drain.daemonset_pods = *parse_label_selector("app=agent");
  world.cluster.add_pod(world.pod("web").ends_after(20s));
  world.cluster.known_daemon_sets.insert("shop/shop");
  FakePod agent = world.pod("agent-1").owned_by("DaemonSet").ends_after(5s);
  agent.pod.labels["app"] = "agent";
  FakePod successor = agent;
  successor.pod.key.name = "agent-2";
  successor.pod.key.uid = Uid("uid-agent-2");
  world.cluster.add_pod(std::move(agent));
  world.cluster.add_pod(world.pod("logs").owned_by("DaemonSet"));
  world.drain_beside();
  world.sim.clock.advance(24s);
  world.cluster.add_pod(std::move(successor));
  world.sim.clock.advance(10s);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
  EXPECT_GE(asked_at(world, "cluster.delete_pod", "agent-1"), 20s);
  EXPECT_EQ(world.script.count("cluster.delete_pod"), 1U);
  EXPECT_TRUE(world.cluster.has_pod("agent-2"));
  EXPECT_TRUE(world.cluster.has_pod("logs"));
}

TEST(DrainWaves, OurOwnPodIsTheVeryLast) {
  DrainingWorld world;
  world.policy.own_namespace = "shop";
  world.policy.own_pod = "ferryman-1";
  FakePod own = world.pod("ferryman-1");
  own.pod.labels["ferryman.dev/drain-wave"] = "-5";
  world.cluster.add_pod(std::move(own));
  world.cluster.add_pod(in_wave(world.pod("web").ends_after(20s), "7"));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_GE(asked_at(world, "cluster.evict", "ferryman-1"), 20s);
}

TEST(DrainReport, HasALinePerPodWithItsReason) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web").ends_after(5s));
  world.cluster.known_daemon_sets.insert("shop/shop");
  world.cluster.add_pod(world.pod("agent").owned_by("DaemonSet"));
  world.cluster.add_pod(world.pod("job").in_phase("Succeeded").ends_after(0s));
  world.cluster.add_pod(world.pod("stuck").refused(-1).ends_after(std::nullopt));
  const DrainOutcome outcome = world.drain();
  EXPECT_EQ(world.sim.logs.with("pod.report").size(), 4U);
  EXPECT_EQ(outcome.report.skipped, 1U);
  EXPECT_EQ(outcome.report.gone, 1U);
  EXPECT_EQ(outcome.report.finished, 1U);
  EXPECT_EQ(outcome.report.forced, 1U);
  ASSERT_EQ(outcome.report.cut.size(), 1U);
  EXPECT_EQ(outcome.report.cut.front(), "shop/stuck: ended before its grace was over");
  ASSERT_EQ(outcome.report.left.size(), 1U);
  EXPECT_EQ(outcome.report.left.front(), "shop/stuck: ended by force, not gone");
}

}  // namespace
}  // namespace ferryman::termination::steps
