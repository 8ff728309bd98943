// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/drain_step.h"

#include <gtest/gtest.h>

#include "unit/termination/draining_world.h"

namespace ferryman::termination::steps {
namespace {

using namespace std::chrono_literals;
using test::DrainingWorld;
using test::FakePod;
using test::node_name;

// A pod may have been scheduled just before the cordon, and be bound just after it.
TEST(DrainStep, AnEmptyNodeIsProvenByAListAfterAMoment) {
  DrainingWorld world;
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.refresh"), 1U);
  EXPECT_GE(world.elapsed(), 5s);
  EXPECT_LT(world.elapsed(), 6s);
}

Task<void> bind_late(DrainingWorld& world) {
  co_await world.sim.clock.sleep_for(3s);
  world.cluster.add_pod(world.pod("late").ends_after(10s));
}

TEST(DrainStep, APodThatIsBoundAMomentAfterTheCordonIsEvictedToo) {
  DrainingWorld world;
  world.calls.spawn("bind", bind_late(world));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
  EXPECT_GE(world.elapsed(), 13s);
}

TEST(DrainStep, PodsAreEvictedAndWaitedForByUid) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").ends_after(40s));
  world.cluster.add_pod(world.pod("web-2").ends_after(2s));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_GE(world.elapsed(), 40s);
  EXPECT_LT(world.elapsed(), 42s);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
  EXPECT_EQ(world.metrics.pods_evicted.value(), 2U);
  EXPECT_EQ(world.script.calls().back().operation, "cluster.refresh");
}

TEST(DrainStep, APodThatTheFinalListFindsIsEvictedToo) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.set_latency("cluster.refresh", 1s);
  world.drain_beside();
  world.sim.clock.advance(2500ms);  // the final list is under way
  world.cluster.watch_works = false;
  world.cluster.add_pod(world.pod("late"));
  world.sim.clock.advance(2s);
  world.cluster.watch_works = true;
  world.sim.clock.advance(1min);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
  EXPECT_FALSE(world.cluster.has_pod("late"));
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
}

TEST(DrainStep, ABudgetThatRefusesIsAskedAgainUntilItAllows) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").refused(5));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.metrics.evictions_refused.value(), 5U);
  EXPECT_EQ(world.script.count("cluster.evict"), 6U);
  EXPECT_EQ(world.script.count("cluster.delete_pod"), 0U);
  const auto refused = world.sim.logs.with("eviction.refused");
  ASSERT_EQ(refused.size(), 5U);
  EXPECT_NE(refused.front().find("shop/web-1"), std::string::npos);
}

TEST(DrainStep, ABudgetThatNeverAllowsIsOverriddenInTheDeletePhase) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").refused(-1));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_GE(world.elapsed(), 8min);
  EXPECT_LT(world.elapsed(), 8min + 15s);
  EXPECT_EQ(world.cluster.graces, std::vector<std::optional<std::chrono::seconds>>{30s});
  EXPECT_EQ(world.metrics.pods_deleted.value(), 1U);
}

TEST(DrainStep, APodThatNeverGoesIsForcedThenLeftAndNamed) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("stuck").ends_after(std::nullopt));
  world.cluster.add_pod(world.pod("web-1"));
  const DrainOutcome outcome = world.drain();
  EXPECT_FALSE(outcome.empty);
  ASSERT_EQ(outcome.report.left.size(), 1U);
  EXPECT_EQ(outcome.report.left.front(), "shop/stuck: ended by force, not gone");
  EXPECT_EQ(world.elapsed(), 10min);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
  EXPECT_EQ(world.cluster.graces, std::vector<std::optional<std::chrono::seconds>>{1s});
}

TEST(DrainStep, APodWithALongGraceIsEvictedOnce) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").ends_after(5min));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
}

TEST(DrainStep, DaemonSetAndMirrorPodsAreLeftUntouchedAndFinishedOnesAreAskedOnce) {
  DrainingWorld world;
  FakePod mirror = world.pod("kube-proxy");
  mirror.pod.mirror = true;
  world.cluster.add_pod(std::move(mirror));
  world.cluster.known_daemon_sets.insert("shop/shop");
  world.cluster.add_pod(world.pod("agent").owned_by("DaemonSet"));
  world.cluster.add_pod(world.pod("job").in_phase("Succeeded"));
  world.cluster.add_pod(world.pod("web-1"));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
  EXPECT_EQ(world.cluster.pods_on(node_name(1)).size(), 2U);
}

TEST(DrainStep, APodThatFinishesWhileABudgetRefusesIsLeftAlone) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("job").refused(-1));
  world.drain_beside();
  world.sim.clock.advance(10s);
  world.cluster.edit_pod(Uid("uid-job"), [](FakePod& pod) { pod.pod.phase = "Succeeded"; });
  world.sim.clock.advance(1s);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
  EXPECT_TRUE(world.cluster.has_pod("job"));
}

TEST(DrainStep, ATerminatingPodIsWaitedForNotEvicted) {
  DrainingWorld world;
  FakePod pod = world.pod("web-1");
  pod.pod.terminating = true;
  world.cluster.add_pod(std::move(pod));
  world.drain_beside();
  world.sim.clock.advance(1min);
  EXPECT_FALSE(world.result);
  world.cluster.end_pod(Uid("uid-web-1"));
  world.sim.clock.advance(1s);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 0U);
}

TEST(DrainStep, OurOwnPodGoesLast) {
  DrainingWorld world;
  world.policy.own_namespace = "shop";
  world.policy.own_pod = "a-ferryman";
  world.cluster.add_pod(world.pod("a-ferryman"));
  world.cluster.add_pod(world.pod("web-1").ends_after(30s));
  EXPECT_TRUE(world.drain().empty);
  const auto evictions = world.script.calls_of("cluster.evict");
  ASSERT_EQ(evictions.size(), 2U);
  EXPECT_EQ(evictions.back().what, "a-ferryman");
  EXPECT_GE(evictions.back().at - world.begin, 30s);
}

TEST(DrainStep, OurOwnPodStaysWhileAnotherNeverGoes) {
  DrainingWorld world;
  world.policy.own_namespace = "shop";
  world.policy.own_pod = "a-ferryman";
  world.cluster.add_pod(world.pod("a-ferryman"));
  world.cluster.add_pod(world.pod("stuck").ends_after(std::nullopt));
  EXPECT_EQ(world.drain().report.left.size(), 2U);
  EXPECT_TRUE(world.cluster.has_pod("a-ferryman"));
}

TEST(DrainStep, APodOfTheSameNameWithAnotherUidIsEvictedAsItself) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("db-0").ends_after(5s));
  world.drain_beside();
  world.sim.clock.advance(1s);
  FakePod reborn = world.pod("db-0");
  reborn.pod.key.uid = Uid("uid-reborn");
  world.cluster.add_pod(std::move(reborn));
  world.sim.clock.advance(10s);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
}

}  // namespace
}  // namespace ferryman::termination::steps
