// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;
using test::instance;
using test::node_name;
using test::terminate_event;

/// A node that an earlier run cordoned and claimed; its message is gone.
class ClaimedWorld : public EngineWorld {
 public:
  ClaimedWorld() {
    claim.events = {ending_node(1)};
    claim.events.front().event_time -= 2min;
    claim.started = sim.clock.wall() - 2min;
    claim.deadline = claim.started + 1h;
    claim.cordoned = claim.tainted = true;
    claim.steps = {"cordon"};
  }
  /// Puts the claim on the Node and starts.
  void resume() {
    put(encode(claim));
    start();
  }
  void put(const std::string& text) {
    cluster.edit_node(node_name(1), [&](Node& node) {
      node.claim = text;
      node.unschedulable = true;
      node.taints = {Taint("ferryman.dev/terminating", "", "NoSchedule")};
    });
  }

  Claim claim;
};

TEST(Resume, AClaimAloneIsEnoughToFinish) {
  ClaimedWorld world;
  world.resume();
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions,
            std::vector<std::string>{instance(1).str() + " drain-hook token-1-drain-hook"});
  EXPECT_TRUE(world.cluster.pods_on(node_name(1)).empty());
  EXPECT_TRUE(world.claim_of(1).closed);
  EXPECT_TRUE(world.claim_of(1).cordoned);
  EXPECT_EQ(world.engine->metrics().terminations_resumed.value(), 1U);
  EXPECT_EQ(world.claim_of(1).started, world.claim.started);
}

TEST(Resume, ARestartInMidDrainGoesOnWithoutTheMessage) {
  EngineWorld world;
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(5s);
  world.stop();
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_TRUE(world.cloud.completions.empty());
  world.start();
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.script.count("cluster.evict"), 2U);
}

TEST(Resume, TheHookIsBeatenAtOnce) {
  ClaimedWorld world;
  world.cluster.add_pod(test::FakePod("slow", node_name(1)).ends_after(30min));
  world.resume();
  world.run_for(2s);
  EXPECT_EQ(world.script.count("cloud.heartbeat"), 1U);
}

TEST(Resume, AClosedClaimIsLeftAlone) {
  ClaimedWorld world;
  world.claim.closed = world.sim.clock.wall();
  world.resume();
  world.run_for(5min);
  EXPECT_EQ(world.script.count("cluster.evict") + world.script.count("cluster.patch_node"), 0U);
  EXPECT_TRUE(world.cloud.completions.empty());
}

TEST(Resume, AMessageOfAClosedClaimIsARepetition) {
  ClaimedWorld world;
  world.claim.closed = world.sim.clock.wall();
  world.resume();
  world.send("m", world.claim.events.front());
  world.run_for(5s);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.messages(MessageOutcome::repeated), 1U);
  EXPECT_EQ(world.script.count("cluster.patch_node"), 0U);
}

TEST(Resume, AnUnreadableClaimIsReportedOnceAndANewEventStartsAnew) {
  ClaimedWorld world;
  world.put("{\"events\":");
  world.start();
  world.run_for(10min);
  EXPECT_EQ(world.sim.logs.with("claim.unreadable").size(), 1U);
  EXPECT_EQ(world.script.count("cluster.evict"), 0U);
  world.send("m", terminate_event(1));
  world.run_for(1min);
  EXPECT_TRUE(world.claim_of(1).closed);
}

TEST(Resume, AClaimOfAnotherInstanceIsIgnored) {
  ClaimedWorld world;
  world.claim.events = {terminate_event(2)};
  world.resume();
  world.run_for(10min);
  EXPECT_EQ(world.sim.logs.with("claim.ignored").size(), 1U);
  EXPECT_EQ(world.script.count("cluster.evict") + world.script.count("cloud.heartbeat"), 0U);
}

TEST(Resume, AnInstanceInServiceIsNotDrainedForAnAnnotation) {
  ClaimedWorld world;
  world.cloud.end_wait(*terminate_event(1).action);
  world.cloud.set_state(instance(1), "InService");
  world.resume();
  world.run_for(10min);
  EXPECT_EQ(world.sim.logs.with("claim.ignored").size(), 1U);
  EXPECT_EQ(world.script.count("cluster.evict"), 0U);
}

TEST(Resume, AnAutoScalingThatCannotBeAskedIsAskedAgainSoon) {
  ClaimedWorld world;
  for (int nth = 1; nth <= 3; ++nth) {
    world.script.fail("cloud.group_members", Error(Fault::transport, "reset"), nth);
  }
  world.resume();
  world.run_for(45s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Resume, BeforeTheCacheIsInSyncNothingIsResumed) {
  ClaimedWorld world;
  world.cluster.synced = false;
  world.resume();
  world.run_for(1min);
  EXPECT_EQ(world.engine->metrics().terminations_resumed.value(), 0U);
  world.cluster.synced = true;
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

// A second hook's message may be received before the reconciler has looked: the first hook's action stands in
// the claim alone and must not be overwritten.
TEST(Resume, ANewEventTakesOverWhatTheClaimHolds) {
  ClaimedWorld world;
  world.cloud.add_hook(test::group, "second-hook", 300s);
  const Event second = terminate_event(1, "second-hook");
  world.cloud.wait_for(*second.action);
  world.script.hang("cloud.group_members", 1);
  world.send("n", second);
  world.resume();
  world.run_for(5s);
  EXPECT_EQ(world.claim_of(1).events.size(), 2U);
  EXPECT_TRUE(world.claim_of(1).cordoned);
  EXPECT_EQ(world.claim_of(1).started, world.claim.started);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
}

TEST(Resume, AMessageThatComesBackAfterACrashJoinsItsOwnClaim) {
  ClaimedWorld world;
  world.send("m", world.claim.events.front());
  world.resume();
  world.run_for(1min);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.engine->metrics().terminations_started.value(), 1U);
}

TEST(Resume, ABugInAPortEndsAsFailedAndTheNextLookResumes) {
  EngineWorld world;
  world.script.break_at("cluster.view_pods", 1);
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(5s);
  EXPECT_EQ(world.ended(TerminationResult::failed), 1U);
  EXPECT_EQ(world.engine->failures(), 1U);
  EXPECT_EQ(world.sim.logs.with("termination.failed").size(), 1U);
  EXPECT_FALSE(world.claim_of(1).closed);
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.engine->metrics().terminations_resumed.value(), 1U);
}

TEST(Resume, TheNextLookComesBeforeAShortHookExpires) {
  EngineWorld world;
  world.cloud.add_hook(test::group, "short-hook", 30s);
  world.script.break_at("cluster.view_pods", 1);
  world.start();
  world.ending_node(1);
  world.cloud.end_wait(*terminate_event(1).action);
  world.cloud.wait_for(*terminate_event(1, "short-hook").action);
  world.run_for(70s);  // just after a look
  Event event = terminate_event(1, "short-hook");
  event.event_time = world.sim.clock.wall();
  world.cloud.wait_for(*event.action);
  world.send("m", event);
  world.run_for(5min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.engine->metrics().terminations_resumed.value(), 1U);
}

TEST(Resume, ABugBeforeTheClaimGivesTheMessageBack) {
  EngineWorld world;
  world.script.break_at("cluster.patch_node", 1);
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(1min);
  EXPECT_EQ(world.ended(TerminationResult::failed), 1U);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(Resume, ABugThatStaysDoesNotSpin) {
  EngineWorld world;
  world.script.break_at("cluster.patch_node");
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(1h);
  EXPECT_LT(world.script.count("cluster.patch_node"), 100U);
  EXPECT_TRUE(world.queue.holds("m"));
}

}  // namespace
}  // namespace ferryman::termination
