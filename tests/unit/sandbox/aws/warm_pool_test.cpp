// SPDX-License-Identifier: Apache-2.0
// Launch hooks and warm pools: the states that Auto Scaling shows, and the ends that its events name.
#include <gtest/gtest.h>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class WarmPools : public ::testing::Test {
 protected:
  Group& group() { return *bench.world.groups().find("workers"); }
  void add_launch_hook(const std::string& result) {
    GroupHook hook;
    hook.name = "join";
    hook.transition = "autoscaling:EC2_INSTANCE_LAUNCHING";
    hook.heartbeat_timeout = 60s;
    hook.default_result = result;
    group().hooks["join"] = hook;
  }
  net::HttpResponse complete(const InstanceId& id, const std::string& hook) {
    return bench.autoscaling("CompleteLifecycleAction", {{"AutoScalingGroupName", "workers"},
                                                         {"LifecycleHookName", hook},
                                                         {"InstanceId", id.str()},
                                                         {"LifecycleActionResult", "CONTINUE"}});
  }
  /// "detail-type: Origin to Destination" of the newest message.
  std::string last_event() {
    const auto& messages = bench.world.queues().find("events")->messages();
    if (messages.empty()) return {};
    const json::value event = *parse_json(messages.rbegin()->second.body);
    const json::value* detail = find(event, "detail");
    return std::string(string_at(event, "detail-type")) + ": " + std::string(string_at(detail, "Origin")) +
           " to " + std::string(string_at(detail, "Destination"));
  }
  /// A member that has gone to the pool.
  InstanceId warmed() {
    const InstanceId id = bench.workers(2)[0];
    group().warm_pool = WarmPool();
    EXPECT_TRUE(bench.world.groups().terminate_in_group(id, true));
    bench.sim.clock.advance(2s);
    complete(id, "drain");
    bench.sim.clock.advance(10s);
    return id;
  }

  AwsBench bench;
};

TEST_F(WarmPools, ALaunchedInstanceWaitsForItsHook) {
  bench.workers(1);
  add_launch_hook("ABANDON");
  const InstanceId id = bench.world.groups().launch(group(), LaunchSpec());
  EXPECT_EQ(bench.state_of(id), "Pending");
  bench.sim.clock.advance(10s);
  EXPECT_EQ(bench.state_of(id), "Pending:Wait");
  EXPECT_EQ(last_event(), "EC2 Instance-launch Lifecycle Action: EC2 to AutoScalingGroup");
  EXPECT_EQ(complete(id, "join").status, 200);
  EXPECT_EQ(bench.state_of(id), "Pending:Proceed");
  bench.sim.clock.advance(2s);
  EXPECT_EQ(bench.state_of(id), "InService");
}

TEST_F(WarmPools, ALaunchHookThatRunsOutEndsTheInstanceOrLetsItServe) {
  bench.workers(1);
  add_launch_hook("ABANDON");
  const InstanceId lost = bench.world.groups().launch(group(), LaunchSpec());
  bench.sim.clock.advance(80s);
  EXPECT_EQ(bench.state_of(lost), "none");
  add_launch_hook("CONTINUE");
  const InstanceId kept = bench.world.groups().launch(group(), LaunchSpec());
  bench.sim.clock.advance(80s);
  EXPECT_EQ(bench.state_of(kept), "InService");
}

TEST_F(WarmPools, WhatScalesInGoesToThePoolAndIsStopped) {
  const InstanceId id = warmed();
  EXPECT_EQ(last_event(), "EC2 Instance-terminate Lifecycle Action: AutoScalingGroup to WarmPool");
  EXPECT_EQ(bench.state_of(id), "Warmed:Stopped");
  EXPECT_EQ(name_of(bench.world.instances().find(id)->state), "stopped");
}

TEST_F(WarmPools, ThoseInReserveAreNoneOfTheGroupsInstances) {
  const InstanceId id = warmed();
  const auto groups = bench.autoscaling("DescribeAutoScalingGroups");
  EXPECT_EQ(groups.body.find(id.str()), std::string::npos);
  EXPECT_EQ(xml_at(groups, "//WarmPoolSize"), "1");
  EXPECT_EQ(xml_at(groups, "//WarmPoolConfiguration/PoolState"), "Stopped");
}

TEST_F(WarmPools, ItComesBackUnderItsOwnIdThroughTheLaunchHook) {
  const InstanceId id = warmed();
  add_launch_hook("ABANDON");
  EXPECT_TRUE(bench.world.groups().take_from_warm_pool(id));
  EXPECT_EQ(bench.state_of(id), "Pending");
  bench.sim.clock.advance(10s);
  EXPECT_EQ(bench.state_of(id), "Pending:Wait");
  EXPECT_EQ(last_event(), "EC2 Instance-launch Lifecycle Action: WarmPool to AutoScalingGroup");
  complete(id, "join");
  bench.sim.clock.advance(2s);
  EXPECT_EQ(bench.state_of(id), "InService");
  EXPECT_EQ(bench.world.instances().find(id)->starts, 2);
}

TEST_F(WarmPools, ARunningPoolStopsNothing) {
  const InstanceId id = bench.workers(1)[0];
  WarmPool pool;
  pool.running = true;
  group().warm_pool = pool;
  ASSERT_TRUE(bench.world.groups().terminate_in_group(id, true));
  bench.sim.clock.advance(2s);
  complete(id, "drain");
  bench.sim.clock.advance(2s);
  EXPECT_EQ(bench.state_of(id), "Warmed:Running");
  EXPECT_EQ(name_of(bench.world.instances().find(id)->state), "running");
}

TEST_F(WarmPools, AGroupMayLearnLateThatItsMemberIsGone) {
  const InstanceId id = bench.workers(1)[0];
  bench.world.settings().gone_noticed = 5min;
  ASSERT_TRUE(bench.world.groups().terminate_in_group(id, true));
  bench.sim.clock.advance(2s);
  bench.world.instances().shut_down(id);
  bench.sim.clock.advance(30s);
  EXPECT_EQ(bench.state_of(id), "Terminating:Wait") << "the hook of a terminated instance waits";
  EXPECT_EQ(complete(id, "drain").status, 200);
}

TEST_F(WarmPools, TagsOfSeveralGroupsComeInOneAnswer) {
  for (const char* name : {"a", "b", "c"}) {
    GroupSpec spec;
    spec.name = name;
    spec.tags = {{"team", name}};
    bench.world.groups().create(spec);
  }
  const auto answer = bench.autoscaling("DescribeTags", {{"Filters.member.1.Name", "auto-scaling-group"},
                                                         {"Filters.member.1.Values.member.1", "a"},
                                                         {"Filters.member.1.Values.member.2", "c"}});
  EXPECT_NE(answer.body.find("<Value>a</Value>"), std::string::npos);
  EXPECT_EQ(answer.body.find("<Value>b</Value>"), std::string::npos);
  EXPECT_NE(answer.body.find("<Value>c</Value>"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::sandbox::test
