// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/drain_step.h"

#include <gtest/gtest.h>

#include "unit/termination/world.h"

namespace ferryman::termination::steps {
namespace {

using namespace std::chrono_literals;
using test::FakePod;
using test::node_name;

class DrainingWorld : public test::World {
 public:
  DrainingWorld() {
    cluster.add_node(test::node_of(1));
    plan.started = sim.clock.now();
    plan.delete_from = plan.started + 8min;
    plan.force_from = plan.started + 9min;
    plan.deadline = plan.started + 10min;
    plan.lost_at = plan.started + 1h;
  }
  ~DrainingWorld() {
    calls.cancel();
    sim.clock.advance(0s);
  }
  DrainingWorld(const DrainingWorld&) = delete;
  DrainingWorld& operator=(const DrainingWorld&) = delete;

  FakePod pod(const std::string& name) const { return {name, node_name(1)}; }
  DrainOutcome drain() { return sim.run(step->run(node_name(1), plan)); }
  void drain_beside() {
    calls.spawn("drain", [](DrainingWorld& world) -> Task<void> {
      world.result = co_await world.step->run(node_name(1), world.plan);
    }(*this));
  }

  Plan plan;
  std::shared_ptr<DrainStep> step = std::make_shared<DrainStep>(context, cluster, calls, sim.log);
  std::optional<DrainOutcome> result;
};

TEST(DrainStep, AnEmptyNodeIsProvenByAListAndDoneAtOnce) {
  DrainingWorld world;
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.refresh"), 1U);
  EXPECT_LT(world.elapsed(), 1s);
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

TEST(DrainStep, AFailedListIsNoProof) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.fail("cluster.refresh", Error(Fault::transport, "reset"), 1);
  world.script.hang("cluster.refresh", 2);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.refresh"), 3U);
}

TEST(DrainStep, WithoutAnyProofUntilTheDeadlineTheNodeDoesNotCountAsEmpty) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.fail("cluster.refresh", Error(Fault::transport, "reset"));
  const DrainOutcome outcome = world.drain();
  EXPECT_FALSE(outcome.empty);
  ASSERT_EQ(outcome.left.size(), 1U);
  EXPECT_NE(outcome.left.front().find("not confirmed"), std::string::npos) << outcome.left.front();
  EXPECT_LE(world.elapsed(), 10min);
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

TEST(DrainStep, APodThatTheWatchMissesIsFoundByTheRegularList) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").ends_after(5s));
  world.drain_beside();
  world.sim.clock.advance(1s);
  world.cluster.watch_works = false;
  world.sim.clock.advance(40s);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
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
  ASSERT_EQ(outcome.left.size(), 1U);
  EXPECT_EQ(outcome.left.front(), "shop/stuck: deleted with grace 1, not gone");
  EXPECT_EQ(world.elapsed(), 10min);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
  EXPECT_EQ(world.cluster.graces, std::vector<std::optional<std::chrono::seconds>>{1s});
}

TEST(DrainStep, AnEvictionThatHangsStopsNoOther) {
  DrainingWorld world;
  for (int n = 0; n < 30; ++n) world.cluster.add_pod(world.pod("web-" + std::to_string(n)));
  for (int nth = 1; nth <= 5; ++nth) world.script.hang("cluster.evict", nth);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_LT(world.elapsed(), 20s);
  std::size_t in_the_first_second = 0;
  for (const auto& call : world.script.calls_of("cluster.evict"))
    in_the_first_second += call.at < world.begin + 1s;
  EXPECT_EQ(in_the_first_second, 30U);
}

TEST(DrainStep, AnEvictionWhoseAnswerIsLostIsNoticedByTheWatch) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1").ends_after(20s));
  world.script.lose_answer("cluster.evict", 1);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
}

TEST(DrainStep, DaemonSetMirrorAndFinishedPodsAreLeftUntouched) {
  DrainingWorld world;
  FakePod mirror = world.pod("kube-proxy");
  mirror.pod.mirror = true;
  world.cluster.add_pod(std::move(mirror));
  world.cluster.add_pod(world.pod("agent").owned_by("DaemonSet"));
  world.cluster.add_pod(world.pod("job").in_phase("Succeeded"));
  world.cluster.add_pod(world.pod("web-1"));
  EXPECT_TRUE(world.drain().empty);
  EXPECT_EQ(world.script.count("cluster.evict"), 1U);
  EXPECT_EQ(world.cluster.pods_on(node_name(1)).size(), 3U);
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
  EXPECT_EQ(world.drain().left.size(), 2U);
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

TEST(DrainStep, AnApiServerThatIsAwayAtTheStartIsWaitedFor) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  for (int nth = 1; nth <= 5; ++nth)
    world.script.fail("cluster.view_pods", Error(Fault::transport, "x"), nth);
  world.script.hang("cluster.view_pods", 6);
  EXPECT_TRUE(world.drain().empty);
}

TEST(DrainStep, AnApiServerThatStaysAwayIsNamedAtTheDeadline) {
  DrainingWorld world;
  world.script.hang("cluster.view_pods");
  const DrainOutcome outcome = world.drain();
  EXPECT_FALSE(outcome.empty);
  EXPECT_EQ(outcome.left.size(), 1U);
  EXPECT_LE(world.elapsed(), 10min);
}

TEST(DrainStep, AnApiServerThatGoesAwayMidWayIsOutlasted) {
  DrainingWorld world;
  for (int n = 0; n < 5; ++n) world.cluster.add_pod(world.pod("web-" + std::to_string(n)).refused(2));
  world.drain_beside();
  world.sim.clock.advance(1s);
  const char* all[] = {"cluster.evict", "cluster.refresh", "cluster.delete_pod"};
  for (const char* operation : all) world.script.fail(operation, Error(Fault::transport, "refused"));
  world.sim.clock.advance(3min);
  EXPECT_FALSE(world.result);
  for (const char* operation : all) world.script.heal(operation);
  world.sim.clock.advance(1min);
  ASSERT_TRUE(world.result);
  EXPECT_TRUE(world.result->empty);
  EXPECT_EQ(world.script.count("cluster.delete_pod"), 0U);
}

TEST(DrainStep, ABrokenPortCostsOneEvictionNotTheDrain) {
  DrainingWorld world;
  world.cluster.add_pod(world.pod("web-1"));
  world.script.break_at("cluster.evict", 1);
  EXPECT_TRUE(world.drain().empty);
  EXPECT_LT(world.elapsed(), 1min);
  EXPECT_EQ(world.sim.logs.with("task.failed").size(), 1U);
}

TEST(DrainStep, CallsThatEndAfterTheDeadlineHarmNobody) {
  DrainingWorld world;
  world.plan.force_from = world.plan.deadline - 3s;
  world.cluster.add_pod(world.pod("stuck").refused(-1).ends_after(std::nullopt));
  world.script.hang("cluster.delete_pod");
  EXPECT_FALSE(world.drain().empty);
  world.step.reset();
  world.sim.clock.advance(1min);
  EXPECT_EQ(world.calls.size(), 0U);
  EXPECT_EQ(world.calls.failures(), 0U);
}

}  // namespace
}  // namespace ferryman::termination::steps
