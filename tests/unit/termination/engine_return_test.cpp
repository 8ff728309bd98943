// SPDX-License-Identifier: Apache-2.0
// Launch hooks, and instances that come back under the same id.
#include <gtest/gtest.h>

#include "termination/ports/marks.h"
#include "unit/termination/balanced_world.h"
#include "unit/termination/bodies.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::instance;
using test::node_name;

class LaunchWorld : public test::BalancedWorld {
 public:
  LaunchWorld() {
    policy.cluster_name = "blue";
    cloud.tags_of_instances[instance(1)] = {{"eks:cluster-name", "blue"}};
    cloud.add_hook(test::group, "launch-hook", 300s);
    action.group = test::group;
    action.hook = "launch-hook";
    action.token = "launch-token-1";
    action.transition = "autoscaling:EC2_INSTANCE_LAUNCHING";
    action.instance_id = instance(1);
  }
  void launch(const std::string& origin = "EC2") {
    cloud.wait_for(action);
    queue.send("launch", test::launch_body(1, sim.clock.wall(), origin));
  }
  void set_ready(bool ready, const std::string& boot_id) {
    cluster.edit_node(node_name(1), [&](Node& node) {
      node.ready = ready;
      node.boot_id = boot_id;
    });
  }
  LifecycleAction action;
};

TEST(Launch, TheHookIsCompletedAsSoonAsTheNodeIsReady) {
  LaunchWorld world;
  world.start();
  world.launch();
  world.run_for(60s);
  Node node = test::node_of(1);
  node.ready = false;
  world.cluster.add_node(node);
  world.run_for(20s);
  EXPECT_TRUE(world.cloud.completions.empty());
  EXPECT_TRUE(world.queue.holds("launch"));
  world.set_ready(true, "boot-1");
  world.run_for(2s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_FALSE(world.queue.holds("launch"));
  EXPECT_TRUE(world.cluster.patches.empty());
  EXPECT_EQ(world.engine->metrics().launches.value(), 1U);
}

TEST(Launch, AHookThatIsNewerThanWhatIsKnownHasItsOwnTimeout) {
  LaunchWorld world;
  world.start();
  world.send("m", world.ending_node(2));
  world.run_for(1min);  // the hooks of the group are known now
  world.cloud.add_hook(test::group, "newer", 900s);
  std::string body = test::launch_body(1, world.sim.clock.wall(), "EC2");
  world.queue.send("launch", body.replace(body.find("launch-hook"), 11, "newer"));
  world.run_for(10min);
  EXPECT_TRUE(world.queue.holds("launch"));
}

TEST(Launch, ATimeoutThatCouldNotBeReadIsReadBeforeItIsOver) {
  LaunchWorld world;
  world.script.fail("cloud.hooks", Error(Fault::unexpected, "InternalFailure", "no"), 1);
  world.start();
  world.launch();
  world.run_for(4min);
  EXPECT_TRUE(world.queue.holds("launch"));
}

TEST(Launch, OneThatIsNeverReadyEndsByThePolicy) {
  for (const AtLimit at_limit : {AtLimit::proceed, AtLimit::abandon, AtLimit::leave}) {
    LaunchWorld world;
    world.policy.launch_at_limit = at_limit;
    world.start();
    world.launch();
    world.run_for(280s);
    EXPECT_TRUE(world.queue.holds("launch"));
    world.run_for(15s);
    EXPECT_EQ(world.cloud.completions.size(), at_limit == AtLimit::leave ? 0U : 1U);
    EXPECT_FALSE(world.queue.holds("launch"));
    EXPECT_EQ(world.sim.logs.with("launch.not_ready").size(), 1U);
    EXPECT_EQ(world.script.count("cloud.heartbeat"), 0U);
  }
}

TEST(Launch, AnothersHookAndOneThatIsIgnoredAreLeftAlone) {
  for (const bool others : {true, false}) {
    LaunchWorld world;
    if (others) world.policy.hooks = {"*", "!launch-*"};
    world.policy.complete_launches = others;
    world.cluster.add_node(test::node_of(1));
    world.start();
    world.launch();
    world.run_for(1min);
    EXPECT_EQ(world.script.count("cloud.complete"), 0U);
    EXPECT_FALSE(world.queue.holds("launch"));
  }
}

TEST(Launch, ARestartReceivesTheMessageAgain) {
  LaunchWorld world;
  world.start();
  world.launch();
  world.run_for(10s);
  world.stop(5s);
  EXPECT_TRUE(world.queue.holds("launch"));
  world.cluster.add_node(test::node_of(1));
  world.start();
  world.run_for(10s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_FALSE(world.queue.holds("launch"));
}

/// Instance 1 was drained into a warm pool by its hook.
class WarmWorld : public LaunchWorld {
 public:
  WarmWorld() {
    const Event event = ending_node(1);
    set_ready(true, "boot-1");
    put_everywhere(1);
    start();
    send("m", event);
    run_for(3min);
    EXPECT_EQ(cloud.completions.size(), 1U);
    EXPECT_TRUE(cluster.node(node_name(1)).unschedulable);
    EXPECT_FALSE(held(1));
    cloud.set_state(instance(1), "Warmed:Stopped");
  }
  void expect_back() {
    const Node& node = cluster.node(node_name(1));
    EXPECT_FALSE(node.unschedulable);
    EXPECT_TRUE(node.taints.empty());
    EXPECT_TRUE(node.claim.empty());
    EXPECT_FALSE(node.labels.contains(std::string(marks::exclude_label)));
    EXPECT_TRUE(in_everything(1));
  }
};

TEST(ComingBack, OneThatStartedAnewIsPutBackToWorkAndItsNextEndIsHandled) {
  WarmWorld world;
  world.set_ready(false, "boot-1");
  world.run_for(1h);
  EXPECT_TRUE(world.cluster.node(node_name(1)).unschedulable);
  world.cloud.set_state(instance(1), "InService");
  world.set_ready(true, "boot-2");
  world.run_for(10s);
  world.expect_back();

  Event next = test::terminate_event(1);
  next.event_time = world.sim.clock.wall();
  next.event_id = "event-2";
  next.action->token = "token-2";
  world.cloud.wait_for(*next.action);
  world.send("n", next);
  world.run_for(3min);
  EXPECT_EQ(world.cloud.completions.size(), 2U);
  EXPECT_TRUE(world.cluster.node(node_name(1)).unschedulable);
  EXPECT_FALSE(world.held(1));
}

TEST(ComingBack, ALaunchHookTellsOfOneThatKeptRunning) {
  WarmWorld world;
  world.cloud.set_state(instance(1), "Pending:Wait");
  world.launch("WarmPool");
  world.run_for(40s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);  // its Ready may be that of the boot before
  world.run_for(20s);
  world.expect_back();
  EXPECT_EQ(world.cloud.completions.size(), 2U);
}

TEST(ComingBack, ALaunchFromTheWarmPoolIsNotReadyByTheReadyOfTheBootBefore) {
  WarmWorld world;
  world.cloud.set_state(instance(1), "Pending:Wait");
  world.launch("WarmPool");
  world.run_for(35s);
  world.set_ready(false, "boot-1");
  world.run_for(60s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  world.set_ready(true, "boot-2");
  world.run_for(10s);
  world.expect_back();
  EXPECT_EQ(world.cloud.completions.size(), 2U);
}

TEST(ComingBack, AutoScalingTellsOfOneThatKeptRunningWithoutALaunchHook) {
  WarmWorld world;
  world.run_for(10min);
  EXPECT_TRUE(world.cluster.node(node_name(1)).unschedulable);
  world.cloud.set_state(instance(1), "InService");
  world.run_for(90s);
  world.expect_back();
}

/// Instance 1 was drained for a spot stop, our process was killed before its end, and the instance started
/// again.
class StoppedWorld : public LaunchWorld {
 public:
  StoppedWorld() {
    (void)ending_node(1);
    set_ready(true, "boot-1");
    cluster.add_pod(test::FakePod("slow", node_name(1)).ends_after(10min));
    start();
    notice = test::spot_body(1, sim.clock.wall(), "stop");
    queue.send("m", notice);
    run_for(20s);
    EXPECT_TRUE(cluster.node(node_name(1)).unschedulable);
    EXPECT_FALSE(claim_of(1).closed);
    stop();
    cluster.end_pod(Uid("uid-slow"));
    cluster.add_pod(test::FakePod("fresh", node_name(1)));
    set_ready(true, "boot-2");
  }

  std::string notice;
};

TEST(ComingBack, ARestartedDaemonDoesNotGoOnWithTheEndOfTheBootBefore) {
  StoppedWorld world;
  world.start();
  world.run_for(1min);
  EXPECT_FALSE(world.cluster.node(node_name(1)).unschedulable);
  EXPECT_TRUE(world.cluster.has_pod("fresh"));
}

TEST(ComingBack, ANewEndAtTheStartDoesNotJoinTheOneBefore) {
  StoppedWorld world;
  world.cluster.synced = false;
  world.start();
  world.run_for(5s);  // the reconciler has not looked yet
  std::string body = test::spot_body(1, world.sim.clock.wall());
  body.replace(body.find("spot-1"), 6, "spot-2");
  world.queue.send("new", body);
  world.run_for(30s);
  EXPECT_EQ(world.claim_of(1).events.size(), 1U);
  EXPECT_FALSE(world.cluster.has_pod("fresh"));
  EXPECT_EQ(world.sim.logs.with("drain.cut_short").size(), 0U);
}

TEST(ComingBack, AMessageThatComesAgainTellsOfTheEndThatIsOver) {
  StoppedWorld world;
  world.start();
  world.run_for(1min);
  world.queue.send("again", world.notice);
  world.run_for(1min);
  EXPECT_FALSE(world.cluster.node(node_name(1)).unschedulable);
  EXPECT_TRUE(world.cluster.has_pod("fresh"));
  EXPECT_FALSE(world.queue.holds("again"));
}

TEST(ComingBack, AnOldStateOfAnInstanceThatRunsTouchesNothing) {
  for (const bool runs : {true, false}) {
    LaunchWorld world;
    (void)world.ending_node(1);
    if (!runs) world.cloud.set_instance(instance(1), "stopping");
    world.start();
    world.queue.send("m", test::state_body(1, world.sim.clock.wall() - 5min, "stopped"));
    world.run_for(30s);
    EXPECT_EQ(world.cluster.node(node_name(1)).unschedulable, !runs);
    EXPECT_FALSE(world.queue.holds("m"));
  }
}

TEST(ComingBack, WithoutTheRightToRegisterTheNodeIsSchedulableAllTheSame) {
  WarmWorld world;
  world.script.fail("balancers.register", Error(Fault::denied, "AccessDenied", "no right"));
  world.set_ready(true, "boot-2");
  world.run_for(10s);
  EXPECT_FALSE(world.cluster.node(node_name(1)).unschedulable);
  EXPECT_TRUE(world.cluster.node(node_name(1)).claim.empty());
  EXPECT_GE(world.sim.logs.with("target.not_registered_again").size(), 1U);
}

TEST(ComingBack, ANodeWithinItsEndIsNotTakenForOneThatCameBack) {
  LaunchWorld world;
  const Event event = world.ending_node(1);
  world.set_ready(true, "boot-1");
  world.cluster.add_pod(test::FakePod("slow", node_name(1)).ends_after(30min));
  world.start();
  world.send("m", event);
  world.run_for(10s);
  world.set_ready(true, "boot-2");
  world.run_for(5min);
  EXPECT_TRUE(world.cluster.node(node_name(1)).unschedulable);
  EXPECT_EQ(world.engine->metrics().marks_taken_back.value(), 0U);
}

}  // namespace
}  // namespace ferryman::termination
