// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class Lifecycle : public ::testing::Test {
 protected:
  net::HttpResponse terminate(const InstanceId& id, const std::string& decrement = "true") {
    return bench.autoscaling("TerminateInstanceInAutoScalingGroup",
                             {{"InstanceId", id.str()}, {"ShouldDecrementDesiredCapacity", decrement}});
  }
  net::HttpResponse act(const std::string& action, const InstanceId& id, const std::string& hook = "drain") {
    net::QueryParameters parameters{
        {"AutoScalingGroupName", "workers"}, {"LifecycleHookName", hook}, {"InstanceId", id.str()}};
    if (action == "CompleteLifecycleAction") parameters.emplace_back("LifecycleActionResult", "CONTINUE");
    return bench.autoscaling(action, parameters);
  }
  net::HttpResponse heartbeat(const InstanceId& id) { return act("RecordLifecycleActionHeartbeat", id); }
  net::HttpResponse complete(const InstanceId& id) { return act("CompleteLifecycleAction", id); }
  json::value only_event() {
    return *parse_json(bench.world.queues().find("events")->messages().begin()->second.body);
  }
  void heartbeat_every(const InstanceId& id, Duration period, int times) {
    for (int i = 0; i < times; ++i) {
      bench.sim.clock.advance(period);
      ASSERT_EQ(heartbeat(id).status, 200) << "heartbeat " << i;
    }
  }
  void add_hook(const std::string& name, std::chrono::seconds timeout, const std::string& result) {
    GroupHook hook;
    hook.name = name;
    hook.heartbeat_timeout = timeout;
    hook.default_result = result;
    bench.world.groups().find("workers")->hooks[name] = hook;
  }

  AwsBench bench;
};

using Times = std::vector<double>;

TEST_F(Lifecycle, CompletedTerminationGoesThroughAllStates) {
  bench.world.settings().shutdown = 5s;
  const InstanceId id = bench.workers(2)[0];
  terminate(id);
  EXPECT_EQ(bench.state_of(id), "Terminating");
  bench.sim.clock.advance(1s);
  EXPECT_EQ(bench.state_of(id), "Terminating:Wait");
  bench.sim.clock.advance(9s);
  EXPECT_EQ(complete(id).status, 200);
  EXPECT_EQ(bench.state_of(id), "Terminating:Proceed");
  bench.sim.clock.advance(10s);
  EXPECT_EQ(bench.state_of(id), "none");
  EXPECT_EQ(bench.times_of("hook.waiting"), Times{1});
  EXPECT_EQ(bench.times_of("hook.completed"), Times{10});
  EXPECT_EQ(bench.times_of("instance.shutting-down"), Times{11});
  EXPECT_EQ(bench.times_of("instance.terminated"), Times{16});
}

TEST_F(Lifecycle, NotificationHasTheFormThatEventBridgeSends) {
  const InstanceId id = bench.workers(1)[0];
  bench.world.groups().find("workers")->hooks["drain"].metadata = "team=payments";
  terminate(id);
  bench.sim.clock.advance(1s);
  std::ifstream file(FERRYMAN_TEST_DATA "/events/eventbridge-asg-terminate-lifecycle.json");
  std::stringstream text;
  text << file.rdbuf();
  json::value sample = *parse_json(text.str());
  const json::value event = only_event();
  const LifecycleWait& wait = bench.world.groups().actions().waits(id).front();
  EXPECT_EQ(string_at(find(event, "detail"), "LifecycleActionToken"), wait.notice.token);
  EXPECT_EQ(string_at(event, "time"), "2026-03-01T12:00:01Z");
  // All that is the sample's own, put in; what is left must be the same, in the same order.
  json::object& root = sample.as_object();
  root["id"] = string_at(event, "id");
  root["time"] = string_at(event, "time");
  root["resources"] = json::array{bench.world.groups().find("workers")->arn};
  json::object& detail = root["detail"].as_object();
  detail["LifecycleActionToken"] = wait.notice.token;
  detail["AutoScalingGroupName"] = "workers";
  detail["LifecycleHookName"] = "drain";
  detail["EC2InstanceId"] = id.str();
  EXPECT_EQ(json::serialize(event), json::serialize(sample));
}

TEST_F(Lifecycle, HookThatNobodyAnswersTimesOut) {
  const InstanceId id = bench.workers(1)[0];
  terminate(id, "false");
  bench.sim.clock.advance(60s);
  EXPECT_EQ(bench.state_of(id), "Terminating:Wait");
  bench.sim.clock.advance(1s);
  EXPECT_EQ(bench.state_of(id), "Terminating:Proceed");
  EXPECT_EQ(bench.times_of("hook.timed_out"), Times{61});
  EXPECT_TRUE(bench.times_of("hook.completed").empty());
}

TEST_F(Lifecycle, HeartbeatStartsTheTimeoutAnew) {
  const InstanceId id = bench.workers(1)[0];
  terminate(id, "false");
  bench.sim.clock.advance(1s);
  heartbeat_every(id, 50s, 3);
  bench.sim.clock.advance(10min);
  EXPECT_EQ(bench.times_of("hook.timed_out"), Times{1 + 150 + 60});
}

TEST_F(Lifecycle, HeartbeatsDoNotOutliveTheGlobalTimeout) {
  const InstanceId id = bench.workers(1, 30s)[0];
  terminate(id, "false");
  bench.sim.clock.advance(1s);
  heartbeat_every(id, 25s, 119);
  bench.sim.clock.advance(1h);
  EXPECT_EQ(bench.times_of("hook.timed_out"), Times{1 + 3000});
}

TEST_F(Lifecycle, GlobalTimeoutIsTwoDaysAtMost) {
  GroupHook hook;
  hook.heartbeat_timeout = 7200s;
  EXPECT_EQ(hook.global_timeout(), 48h);
}

TEST_F(Lifecycle, SecondCompletionIsRefused) {
  const InstanceId id = bench.workers(1)[0];
  terminate(id, "false");
  bench.sim.clock.advance(1s);
  EXPECT_EQ(complete(id).status, 200);
  const auto again = complete(id);
  EXPECT_EQ(again.status, 400);
  EXPECT_EQ(xml_at(again, "/ErrorResponse/Error/Code"), "ValidationError");
  EXPECT_EQ(xml_at(again, "/ErrorResponse/Error/Message"),
            "No active Lifecycle Action found with instance ID " + id.str());
  EXPECT_EQ(bench.times_of("hook.completed").size(), 1U);
}

TEST_F(Lifecycle, HeartbeatAfterTheTimeoutIsRefused) {
  const InstanceId id = bench.workers(1)[0];
  terminate(id, "false");
  bench.sim.clock.advance(61s);
  EXPECT_EQ(xml_at(heartbeat(id), "//Code"), "ValidationError");
}

TEST_F(Lifecycle, ActionCanBeNamedByItsTokenAlone) {
  const InstanceId id = bench.workers(2)[1];
  terminate(id);
  bench.sim.clock.advance(1s);
  net::QueryParameters parameters{{"AutoScalingGroupName", "workers"},
                                  {"LifecycleHookName", "drain"},
                                  {"LifecycleActionResult", "CONTINUE"}};
  auto wrong = parameters;
  wrong.emplace_back("LifecycleActionToken", "00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(xml_at(bench.autoscaling("CompleteLifecycleAction", wrong), "//Message"),
            "No active Lifecycle Action found with token 00000000-0000-4000-8000-000000000000");
  parameters.emplace_back("LifecycleActionToken",
                          bench.world.groups().actions().waits(id).front().notice.token);
  EXPECT_EQ(bench.autoscaling("CompleteLifecycleAction", parameters).status, 200);
  EXPECT_EQ(bench.journal.entries().back().subject, id.str());
}

TEST_F(Lifecycle, InstanceWaitsUntilEveryHookIsDone) {
  const InstanceId id = bench.workers(1)[0];
  add_hook("logs", 120s, "CONTINUE");
  terminate(id, "false");
  bench.sim.clock.advance(1s);
  EXPECT_EQ(bench.world.queues().find("events")->messages().size(), 2U);
  complete(id);
  bench.sim.clock.advance(100s);
  EXPECT_EQ(bench.state_of(id), "Terminating:Wait");
  EXPECT_EQ(act("CompleteLifecycleAction", id, "logs").status, 200);
  EXPECT_EQ(bench.state_of(id), "Terminating:Proceed");
}

TEST_F(Lifecycle, AbandonEndsTheOtherHooksToo) {
  const InstanceId id = bench.workers(1)[0];
  add_hook("short", 30s, "ABANDON");
  terminate(id, "false");
  bench.sim.clock.advance(32s);
  EXPECT_EQ(bench.times_of("hook.timed_out"), Times{31});
  EXPECT_EQ(bench.times_of("hook.dropped"), Times{31});
  EXPECT_NE(bench.state_of(id), "Terminating:Wait");
}

TEST_F(Lifecycle, WithoutHooksAnInstanceEndsAtOnce) {
  const InstanceId id = bench.workers(1)[0];
  bench.world.groups().find("workers")->hooks.clear();
  terminate(id, "false");
  bench.sim.clock.advance(2s);
  EXPECT_EQ(bench.times_of("instance.shutting-down"), Times{2});
  EXPECT_TRUE(bench.times_of("message.sent").empty());
}

TEST_F(Lifecycle, ReplacementIsLaunchedAfterItsDelayUnlessTheGroupShrinks) {
  const auto ids = bench.workers(3);
  bench.world.settings().replacement_delay = 20s;
  terminate(ids[0], "false");
  terminate(ids[1], "true");
  bench.sim.clock.advance(19s);
  EXPECT_EQ(bench.times_of("instance.launched").size(), 3U);
  bench.sim.clock.advance(10min);
  EXPECT_EQ(bench.times_of("instance.launched").size(), 4U);
  EXPECT_EQ(bench.world.groups().find("workers")->members.size(), 2U);
}

TEST_F(Lifecycle, GroupAtItsMinimumRefusesToShrink) {
  const InstanceId id = bench.workers(1)[0];
  bench.world.groups().find("workers")->spec.min = 1;
  EXPECT_EQ(xml_at(terminate(id, "true"), "//Code"), "ValidationError");
  EXPECT_EQ(bench.state_of(id), "InService");
}

TEST_F(Lifecycle, InstanceThatDiesWhileItWaitsLeavesNoActionBehind) {
  const InstanceId id = bench.workers(1)[0];
  terminate(id, "false");
  bench.sim.clock.advance(1s);
  bench.world.instances().shut_down(id);
  bench.sim.clock.advance(10min);
  EXPECT_EQ(bench.times_of("hook.dropped"), Times{6});
  EXPECT_TRUE(bench.times_of("hook.timed_out").empty());
}

TEST_F(Lifecycle, StrangersAreRefusedInAutoScalingsWords) {
  const InstanceId id = bench.workers(1)[0];
  EXPECT_EQ(xml_at(terminate(InstanceId("i-0000000000000000f")), "//Message"),
            "Instance Id not found - No managed instance found for instance ID: i-0000000000000000f");
  EXPECT_EQ(xml_at(act("CompleteLifecycleAction", id, "other"), "//Message"),
            "No Lifecycle Hook found with name other");
}

TEST_F(Lifecycle, TheSameSeedGivesTheSameStory) {
  AwsBench other;
  const InstanceId mine = bench.workers(3)[1];
  const InstanceId theirs = other.workers(3)[1];
  EXPECT_EQ(mine, theirs);
  EXPECT_EQ(
      xml_at(terminate(mine), "//ActivityId"),
      xml_at(other.autoscaling("TerminateInstanceInAutoScalingGroup",
                               {{"InstanceId", theirs.str()}, {"ShouldDecrementDesiredCapacity", "true"}}),
             "//ActivityId"));
}

}  // namespace
}  // namespace ferryman::sandbox::test
