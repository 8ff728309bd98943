// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* direct_arn = "arn:aws:sqs:us-west-2:123456789012:direct";

class Events : public ::testing::Test {
 protected:
  /// The bodies in the queue, oldest first.
  std::vector<json::value> in(const char* queue) {
    std::vector<json::value> bodies;
    for (const auto& [number, message] : bench.world.queues().find(queue)->messages())
      bodies.push_back(*parse_json(message.body));
    return bodies;
  }
  net::HttpResponse put_hook(net::QueryParameters more) {
    net::QueryParameters all{{"AutoScalingGroupName", "workers"},
                             {"LifecycleHookName", "direct"},
                             {"LifecycleTransition", "autoscaling:EC2_INSTANCE_TERMINATING"}};
    all.insert(all.end(), more.begin(), more.end());
    return bench.autoscaling("PutLifecycleHook", all);
  }
  void tell_state_changes() {
    bench.world.queues().create("states");
    EventRule rule;
    rule.queue = "states";
    rule.lifecycle_actions = false;
    rule.state_changes = true;
    bench.world.events().add_rule(rule);
  }

  AwsBench bench;
};

TEST_F(Events, EachStateOfAnInstanceIsTold) {
  tell_state_changes();
  const InstanceId id = bench.workers(1)[0];
  bench.ec2("TerminateInstances", {{"InstanceId.1", id.str()}});
  bench.sim.clock.advance(5s);
  std::string states;
  for (const json::value& event : in("states"))
    states += " " + std::string(string_at(find(event, "detail"), "state"));
  EXPECT_EQ(states, " pending running shutting-down terminated");
  EXPECT_TRUE(in("events").empty()) << "another rule's queue";
}

TEST_F(Events, StateChangeHasEventBridgesForm) {
  tell_state_changes();
  const InstanceId id = bench.workers(1)[0];
  json::object event = in("states").at(1).as_object();
  EXPECT_EQ(string_at(json::value(event), "id").size(), 36U);
  event.erase("id");
  const std::string arn = "arn:aws:ec2:us-west-2:123456789012:instance/" + id.str();
  EXPECT_EQ(json::value(event), (json::value{{"version", "0"},
                                             {"detail-type", "EC2 Instance State-change Notification"},
                                             {"source", "aws.ec2"},
                                             {"account", "123456789012"},
                                             {"time", "2026-03-01T12:00:00Z"},
                                             {"region", "us-west-2"},
                                             {"resources", json::array{arn}},
                                             {"detail", {{"instance-id", id.str()}, {"state", "running"}}}}));
}

TEST_F(Events, HooksOwnTargetGetsATestAndThenTheFlatForm) {
  const InstanceId id = bench.workers(1)[0];
  bench.world.queues().create("direct");
  ASSERT_EQ(put_hook({{"NotificationTargetARN", direct_arn}, {"RoleARN", "arn:aws:iam::1:role/r"}}).status,
            200);
  ASSERT_EQ(in("direct").size(), 1U);
  EXPECT_EQ(string_at(in("direct")[0], "Event"), "autoscaling:TEST_NOTIFICATION");
  bench.autoscaling("TerminateInstanceInAutoScalingGroup",
                    {{"InstanceId", id.str()}, {"ShouldDecrementDesiredCapacity", "true"}});
  bench.sim.clock.advance(1s);
  ASSERT_EQ(in("direct").size(), 2U);
  const json::value notice = in("direct")[1];
  EXPECT_EQ(string_at(notice, "EC2InstanceId"), id.str());
  EXPECT_EQ(string_at(notice, "LifecycleHookName"), "direct");
  EXPECT_EQ(string_at(notice, "LifecycleActionToken").size(), 36U);
  EXPECT_EQ(string_at(notice, "Destination"), "EC2");
  EXPECT_EQ(find(notice, "detail"), nullptr);
  EXPECT_EQ(in("events").size(), 2U) << "EventBridge tells of both hooks";
}

TEST_F(Events, TargetThatNoMessageReachesIsRefused) {
  bench.workers(1);
  const auto answer = put_hook({{"NotificationTargetARN", direct_arn}, {"RoleARN", "arn:aws:iam::1:role/r"}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(xml_at(answer, "//Code"), "ValidationError");
  EXPECT_FALSE(bench.world.groups().find("workers")->hooks.contains("direct"));
}

TEST_F(Events, TerminatedByEc2TheGroupLosesItsMember) {
  const InstanceId id = bench.workers(1)[0];
  const auto answer = bench.ec2("TerminateInstances", {{"InstanceId.1", id.str()}});
  EXPECT_EQ(xml_at(answer, "//item/currentState/name"), "shutting-down");
  EXPECT_EQ(xml_at(answer, "//item/previousState/name"), "running");
  bench.sim.clock.advance(5s);
  EXPECT_EQ(bench.state_of(id), "none");
  EXPECT_EQ(bench.ec2("TerminateInstances").status, 400);
}

}  // namespace
}  // namespace ferryman::sandbox::test
