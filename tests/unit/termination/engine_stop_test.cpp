// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;
using test::node_name;
using test::terminate_event;

TEST(Stop, AnIdleEngineStopsAtOnce) {
  EngineWorld world;
  world.start();
  world.run_for(1min);
  const SteadyTime before = world.sim.clock.now();
  world.stop();
  EXPECT_EQ(world.sim.clock.now() - before, 0s);
  EXPECT_EQ(world.sim.clock.sleepers(), 0U);
}

TEST(Stop, BeforeTheClaimItGivesTheMessageBack) {
  EngineWorld world;
  world.script.hang("cluster.patch_node");
  world.script.hang("cluster.read_node");
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(2s);
  EXPECT_FALSE(world.queue.visible("m"));
  const SteadyTime before = world.sim.clock.now();
  world.stop(20s);
  EXPECT_LE(world.sim.clock.now() - before, 20s);
  world.run_for(1s);
  EXPECT_TRUE(world.queue.visible("m"));
}

TEST(Stop, ItWaitsForAClaimThatIsOnItsWay) {
  EngineWorld world;
  world.script.set_latency("cluster.patch_node", 3s);
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(1s);
  world.stop(20s);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_FALSE(world.claim_of(1).closed);
  EXPECT_TRUE(world.cluster.node(node_name(1)).unschedulable);
}

TEST(Stop, AfterTheClaimItIsQuickAndTheMessageStaysDeleted) {
  EngineWorld world;
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(5s);
  const SteadyTime before = world.sim.clock.now();
  world.stop(20s);
  EXPECT_LT(world.sim.clock.now() - before, 1s);
  EXPECT_EQ(world.queue.size(), 0U);
  EXPECT_TRUE(world.cloud.completions.empty());
  EXPECT_EQ(world.sim.clock.sleepers(), 2U);  // the two pods that end
}

TEST(Stop, AJoinedEventThatIsNotWrittenYetGoesBack) {
  EngineWorld world;
  world.cloud.add_hook(test::group, "second-hook", 300s);
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(5s);
  const Event second = terminate_event(1, "second-hook");
  world.cloud.wait_for(*second.action);
  world.send("n", second);
  world.run_for(2s);
  world.stop(20s);
  const bool written = world.claim_of(1).events.size() == 2;
  EXPECT_NE(world.queue.holds("n"), written);
  world.start();
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  EXPECT_EQ(world.queue.size(), 0U);
}

TEST(Stop, ItEndsWithinItsDeadlineWhenEveryCallHangs) {
  for (const Duration longest : {Duration{0s}, Duration{1s}, Duration{5s}, Duration{20s}}) {
    EngineWorld world;
    world.start();
    for (int n = 1; n <= 15; ++n) world.send("m" + std::to_string(n), world.ending_node(n));
    const char* all[] = {"queue.receive",       "queue.remove",      "queue.set_visibility",
                         "cloud.hooks",         "cloud.heartbeat",   "cloud.complete",
                         "cloud.group_members", "cluster.read_node", "cluster.patch_node",
                         "cluster.view_pods",   "cluster.evict",     "cluster.refresh"};
    world.run_for(30ms);
    for (const char* operation : all) world.script.hang(operation);
    world.run_for(100ms);
    const SteadyTime before = world.sim.clock.now();
    world.stop(longest);
    EXPECT_LE(world.sim.clock.now() - before, longest);
    EXPECT_EQ(world.sim.logs.with("engine.stopped").size(), 1U);
  }
}

// The receive has its answer, the poller has not had its turn: work begins after the stop has.
TEST(Stop, AReceiveThatIsAnsweredAtThatMomentDelaysNothing) {
  for (int micros = 0; micros <= 12'000; micros += 500) {
    EngineWorld world;
    world.send("m", world.ending_node(1));
    world.start();
    world.run_for(std::chrono::microseconds{micros});
    const SteadyTime before = world.sim.clock.now();
    world.stop(20s);
    EXPECT_LT(world.sim.clock.now() - before, 10s) << micros;
    world.run_for(61s);
    const bool claimed = !world.cluster.node(node_name(1)).claim.empty();
    EXPECT_NE(world.queue.visible("m"), claimed) << micros;
  }
}

TEST(Stop, InTheMiddleOfAnythingLosesNothing) {
  for (int step = 0; step < 120; ++step) {
    EngineWorld world;
    world.send("m", world.ending_node(1));
    world.start();
    world.run_for(step < 60 ? Duration{step * 1ms} : Duration{(step - 60) * 500ms});
    world.stop(20s);
    world.start();
    world.run_for(2min);
    ASSERT_EQ(world.cloud.completions.size(), 1U) << step;
    ASSERT_EQ(world.queue.size(), 0U) << step;
    ASSERT_TRUE(world.claim_of(1).closed) << step;
    ASSERT_EQ(world.engine->failures(), 0U) << step;
  }
}

}  // namespace
}  // namespace ferryman::termination
