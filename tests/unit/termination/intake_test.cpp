// SPDX-License-Identifier: Apache-2.0
#include "termination/intake.h"

#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::body_of;
using test::EngineWorld;
using test::terminate_event;

TEST(Intake, AForeignMessageGoesBackAndNothingIsWritten) {
  EngineWorld world;
  world.start();
  world.send("m", terminate_event(9));
  world.run_for(3s);
  EXPECT_TRUE(world.queue.holds("m"));
  EXPECT_GE(world.queue.receives("m"), 2);
  EXPECT_GE(world.messages(MessageOutcome::undecided), 2U);
  EXPECT_EQ(world.script.count("cluster.patch_node") + world.script.count("cloud.heartbeat"), 0U);
  EXPECT_EQ(world.script.count("queue.remove"), 0U);
}

TEST(Intake, AForeignMessageThatWaitedForItsNodeIsTakenWhenTheNodeComes) {
  EngineWorld world;
  world.start();
  world.send("m", terminate_event(1));
  world.run_for(3s);
  world.ending_node(1);
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(Intake, AForeignMessageWhoseInstanceRunsIsNeverDeleted) {
  EngineWorld world;
  world.start();
  world.send("m", terminate_event(9));
  world.run_for(47h);
  EXPECT_TRUE(world.queue.holds("m"));
  world.run_for(2h);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(Intake, AForeignMessageIsDeletedWhenEc2SaysThatItsInstanceIsTerminated) {
  EngineWorld world;
  world.start();
  world.cloud.set_instance(test::instance(9), "terminated");
  world.send("m", terminate_event(9));
  world.run_for(1min);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.messages(MessageOutcome::past_its_life), 1U);
}

// DescribeInstances is eventually consistent: an instance that is absent once may be there a moment later.
TEST(Intake, OneAbsenceInEc2IsNotBelieved) {
  EngineWorld world;
  world.start();
  world.cloud.set_instance(test::instance(9), std::nullopt);
  world.send("m", terminate_event(9));
  while (world.script.count("cloud.instances") == 0) world.run_for(100ms);
  world.run_for(1s);
  world.cloud.set_instance(test::instance(9), "running");
  world.run_for(10min);
  EXPECT_TRUE(world.queue.holds("m"));
  world.cloud.set_instance(test::instance(9), std::nullopt);
  world.run_for(10min);
  EXPECT_FALSE(world.queue.holds("m"));
}

TEST(Intake, WhileEc2CannotBeAskedForeignMessagesGoBack) {
  EngineWorld world;
  world.script.fail("cloud.instances", Error(Fault::denied, "UnauthorizedOperation", "no right"));
  world.start();
  world.cloud.set_instance(test::instance(9), "terminated");
  world.send("m", terminate_event(9));
  world.run_for(10min);
  EXPECT_TRUE(world.queue.holds("m"));
}

TEST(Intake, ManyForeignInstancesShareTheirCallsToEc2) {
  EngineWorld world;
  world.start();
  for (int n = 0; n < 50; ++n) world.send("m" + std::to_string(n), terminate_event(100 + n));
  world.run_for(1h);
  EXPECT_EQ(world.queue.size(), 50U);
  EXPECT_GT(world.messages(MessageOutcome::undecided), 2000U);
  EXPECT_LT(world.script.count("cloud.instances"), 500U);
}

TEST(Intake, AnExclusiveQueueKeepsNoForeignMessage) {
  EngineWorld world;
  world.policy.queue_mode = QueueMode::exclusive;
  world.policy.cluster_name = "blue";
  world.start();
  world.send("m", terminate_event(9));
  world.run_for(3s);
  EXPECT_FALSE(world.queue.holds("m"));
  EXPECT_EQ(world.messages(MessageOutcome::foreign), 1U);
}

TEST(Intake, WithoutASyncedCacheNothingIsDecided) {
  EngineWorld world;
  world.cluster.synced = false;
  world.start();
  world.send("m", terminate_event(9));
  world.run_for(world.policy.visibility - 1s);
  EXPECT_EQ(world.queue.receives("m"), 1);
  EXPECT_TRUE(world.queue.holds("m"));
  EXPECT_EQ(world.messages(MessageOutcome::not_in_sync), 1U);
}

TEST(Intake, ANodeInTheCacheIsOursEvenWhenTheCacheIsOld) {
  EngineWorld world;
  world.cluster.synced = false;
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(1min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Intake, AnEventOfAnotherAccountOrRegionIsForeign) {
  EngineWorld world;
  world.policy.account = "999999999999";
  world.policy.region = "us-west-2";
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(3s);
  EXPECT_GE(world.messages(MessageOutcome::foreign), 1U);
  EXPECT_EQ(world.script.count("cluster.patch_node"), 0U);
}

// The longest that Auto Scaling waits is 48 h: nobody can act on it any more, whoever it belongs to.
TEST(Intake, AnEventPastItsLifeIsDeletedAndTouchesNoNode) {
  for (const int n : {1, 9}) {
    EngineWorld world;
    world.start();
    Event event = world.ending_node(1);
    event = terminate_event(n);
    event.event_time -= 49h;
    world.send("m", event);
    world.run_for(5s);
    EXPECT_FALSE(world.queue.holds("m"));
    EXPECT_EQ(world.messages(MessageOutcome::past_its_life), 1U);
    EXPECT_EQ(world.script.count("cluster.patch_node"), 0U);
  }
}

TEST(Intake, GarbageIsCountedLoggedOnceAndHarmsNobody) {
  EngineWorld world;
  world.start();
  world.queue.send("braces", std::string(std::size_t{1} << 20U, '{'));
  world.queue.send("empty", "");
  world.queue.send("bytes", "\xff\xfe");
  world.send("good", world.ending_node(1));
  world.run_for(10min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.queue.size(), 3U);
  EXPECT_GE(world.messages(MessageOutcome::unparsable), 15U);
  EXPECT_EQ(world.sim.logs.with("message.unparsable").size(), 3U);
  EXPECT_EQ(world.engine->failures(), 0U);
}

// Each giving back counts as a receive: a redrive policy would lose other clusters' messages.
TEST(Intake, TheCureForGarbageDependsOnWhoElseReadsTheQueue) {
  for (const QueueMode mode : {QueueMode::shared, QueueMode::exclusive}) {
    EngineWorld world;
    world.policy.queue_mode = mode;
    world.start();
    world.queue.send("empty", "");
    world.run_for(1min);
    const bool shared = mode == QueueMode::shared;
    ASSERT_EQ(world.sim.logs.with("message.unparsable").size(), 1U);
    EXPECT_EQ(world.sim.logs.with("no redrive policy on a shared queue").size(), shared ? 1U : 0U);
    EXPECT_EQ(world.sim.logs.with("a redrive policy takes").size(), shared ? 0U : 1U);
  }
}

TEST(Intake, AnUnreachableQueueIsAskedAgainAndNamed) {
  EngineWorld world;
  world.script.fail("queue.receive", Error(Fault::transport, "connection refused"));
  world.start();
  world.run_for(1min);
  EXPECT_FALSE(world.engine->queue_reachable());
  EXPECT_EQ(world.engine->queue_trouble(), "connection refused");
  EXPECT_GE(world.script.count("queue.receive"), 6U);
  EXPECT_EQ(world.sim.logs.with("queue.unreachable").size(), 1U);
  world.script.heal("queue.receive");
  world.send("m", world.ending_node(1));
  world.run_for(2min);
  EXPECT_TRUE(world.engine->queue_reachable());
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Intake, AReceiveThatHangsIsGivenUp) {
  EngineWorld world;
  world.script.hang("queue.receive", 1);
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
}

TEST(Intake, AnIdleQueueCostsOneLongPollAtATime) {
  EngineWorld world;
  world.policy.receives_at_once = 4;
  world.start();
  world.run_for(10min);
  EXPECT_LE(world.script.count("queue.receive"), 31U);
}

TEST(Intake, AFullQueueIsReadByAllPollers) {
  EngineWorld world;
  world.policy.receives_at_once = 4;
  world.script.set_latency("queue.receive", 1s);
  world.start();
  for (int n = 0; n < 200; ++n) world.queue.send("m" + std::to_string(n), body_of(terminate_event(100 + n)));
  world.run_for(8s);
  EXPECT_GE(world.script.count("queue.receive"), 24U);
}

}  // namespace
}  // namespace ferryman::termination
