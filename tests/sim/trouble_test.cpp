// SPDX-License-Identifier: Apache-2.0
// Longer troubles than one spoiled call: outages, restarts, rubbish in the queue, messages of others.
#include <gtest/gtest.h>

#include "sim/scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

/// One side of the world does not answer.
class Outage final : public net::CallInterceptor {
 public:
  explicit Outage(std::string host) : host_(std::move(host)) {}

  net::CallFate on_call(const net::HttpRequest& request) override {
    const bool spoiled = on && request.url.find(host_) != std::string::npos;
    return spoiled ? net::CallFate(net::CallFate::Kind::fail_before) : net::CallFate();
  }

  bool on = false;

 private:
  std::string host_;
};

constexpr const char* foreign_event = R"({"id":"00000000-0000-0000-0000-000000000002",
  "detail-type":"EC2 Instance-terminate Lifecycle Action","source":"aws.autoscaling","account":"123456789012",
  "time":"2026-03-01T12:00:00Z","region":"us-west-2","detail":{"LifecycleActionToken":"t","AutoScalingGroupName":"other",
  "LifecycleHookName":"h","EC2InstanceId":"i-0fedcba9876543210"}})";

TEST(Trouble, HooksStayAliveWhileTheApiServerIsDown) {
  Outage outage("kube.sim");
  Scene scene(SceneShape{}, 11);
  scene.start(&outage);
  scene.advance(5s);
  scene.terminate();
  scene.advance(3s);
  outage.on = true;
  scene.advance(15min);
  EXPECT_GT(scene.count("autoscaling", "RecordLifecycleActionHeartbeat"), 15min / 60s);
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 0U);
  outage.on = false;
  EXPECT_TRUE(scene.run_to_the_end(10min));
  EXPECT_EQ(scene.broken(), "");
}

TEST(Trouble, AQueueThatIsDownAtStartIsAskedUntilItAnswers) {
  Outage outage("aws.sim");
  outage.on = true;
  Scene scene(SceneShape{}, 12);
  Replica& replica = scene.start(&outage);
  scene.advance(5min);
  EXPECT_FALSE(replica.daemon->ready());
  EXPECT_EQ(replica.logs.with("queue.unreachable").size(), 1U);
  outage.on = false;
  scene.advance(20s);
  EXPECT_TRUE(replica.daemon->ready());
  scene.terminate();
  EXPECT_TRUE(scene.run_to_the_end(10min));
  EXPECT_EQ(scene.broken(), "");
}

TEST(Trouble, AStopInMidDrainIsTakenUpByTheNextStart) {
  SceneShape shape;
  shape.pod_end = 25s;
  Scene scene(shape, 13);
  Replica& first = scene.start();
  scene.advance(5s);
  scene.terminate();
  scene.advance(10s);
  EXPECT_TRUE(scene.stop(first, 25s));
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 0U);
  Replica& second = scene.start();
  EXPECT_TRUE(scene.run_to_the_end(10min));
  EXPECT_EQ(second.logs.with("termination.resumed").size(), 1U);
  EXPECT_EQ(scene.broken(), "");
}

TEST(Trouble, AForeignMessageGoesBackToItsOwner) {
  Scene scene(SceneShape{}, 14);
  scene.start();
  scene.advance(5s);
  sandbox::LaunchSpec other;
  other.id = *parse_instance_id("i-0fedcba9876543210");
  other.running = true;
  scene.aws().instances().launch(other);
  scene.queue().send(foreign_event, {{"instance", "i-0fedcba9876543210"}});
  scene.advance(2s);
  EXPECT_GE(scene.count("sqs", "ChangeMessageVisibilityBatch"), 1U);
  scene.advance(1h);
  EXPECT_EQ(scene.count("sqs", "DeleteMessageBatch"), 0U);
  EXPECT_EQ(scene.count("kubernetes", "nodes.patch"), 0U);
  EXPECT_EQ(scene.queue().counts().visible + scene.queue().counts().in_flight, 1U);
}

TEST(Trouble, AForeignMessageWhoseInstanceIsGoneCirculatesNoLonger) {
  Scene scene(SceneShape{}, 15);
  Replica& replica = scene.start();
  scene.queue().send(foreign_event, {{"instance", "i-0fedcba9876543210"}});
  scene.advance(5min);
  EXPECT_EQ(scene.count("sqs", "DeleteMessageBatch"), 1U);
  EXPECT_EQ(replica.logs.with("event.past_its_life").size(), 1U);
  EXPECT_EQ(scene.broken(), "");
}

TEST(Trouble, RubbishInTheQueueIsNamedOnceAndStopsNobody) {
  Scene scene(SceneShape{}, 16);
  Replica& replica = scene.start();
  const std::vector<std::string> rubbish = {"",         "null", "[]", "{\"id\":", std::string(1U << 20U, '{'),
                                            "\xff\xfe", "{}"};
  for (const std::string& body : rubbish) scene.queue().send(body);
  scene.advance(10min);
  EXPECT_EQ(replica.logs.with("message.unparsable").size(), rubbish.size());
  EXPECT_EQ(scene.count("sqs", "DeleteMessageBatch"), 0U);
  scene.terminate();
  for (int i = 0; i < 180 && scene.count("autoscaling", "CompleteLifecycleAction") == 0; ++i)
    scene.advance(1s);
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 1U);
  EXPECT_TRUE(scene.broken().empty());
}

TEST(Trouble, ATestNotificationIsDeletedWithOneLine) {
  Scene scene(SceneShape{}, 19);
  Replica& replica = scene.start();
  scene.queue().send(R"({"Event":"autoscaling:TEST_NOTIFICATION","AutoScalingGroupName":"asg-a"})");
  scene.advance(5s);
  EXPECT_EQ(scene.count("sqs", "DeleteMessageBatch"), 1U);
  EXPECT_EQ(replica.logs.with("info  message.unusable").size(), 1U);
}

TEST(Trouble, WhatIsLeftAtTheFinalDeadlineIsNamed) {
  Scene scene(SceneShape{}, 18);
  Replica& replica = scene.start();
  scene.advance(5s);
  sandbox::PodSpec stuck;
  stuck.name = "stuck";
  stuck.node_name = scene.kube().find_node(scene.instances().front())->name;
  stuck.behaviour.stuck = true;
  scene.kube().add_pod(stuck);
  scene.terminate();
  scene.advance(58min);
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 0U);
  EXPECT_TRUE(scene.run_to_the_end(5min));
  ASSERT_EQ(replica.logs.with("drain.cut_short").size(), 1U);
  EXPECT_NE(replica.logs.with("drain.cut_short").front().find("default/stuck"), std::string::npos);
  EXPECT_EQ(scene.broken(), "");
}

TEST(Trouble, OneTerminationCostsFewCalls) {
  Scene scene(SceneShape{}, 17);
  scene.start();
  scene.advance(5s);
  scene.terminate();
  ASSERT_TRUE(scene.run_to_the_end(10min));
  // The cordon with its claim, which names what will be deregistered, and the claim's end.
  EXPECT_EQ(scene.count("kubernetes", "nodes.patch"), 2U);
  // The index, and a last look since the node was marked.
  EXPECT_LE(scene.count("elbv2", "DescribeTargetGroups"), 3U);
  EXPECT_EQ(scene.count("elbv2", "DeregisterTargets"), 2U);
  // Of each group: the index, a last look since the node was marked, and a poll when its delay is over.
  EXPECT_LE(scene.count("elbv2", "DescribeTargetHealth"), 6U);
  EXPECT_EQ(scene.count("autoscaling", "DescribeLifecycleHooks"), 1U);
  // In which groups the Nodes are, for hooks of which no message tells: they are looked for once a minute or
  // so.
  EXPECT_EQ(scene.count("ec2", "DescribeInstances"), 1U);
  EXPECT_LE(scene.count("autoscaling", "DescribeAutoScalingGroups"), 10U);
  EXPECT_LE(scene.count("kubernetes", "pods.list"), 3U);
  EXPECT_LE(scene.count("kubernetes", "nodes.list"), 1U);
}

}  // namespace
}  // namespace ferryman::sim
