// SPDX-License-Identifier: Apache-2.0
// Messages about instances of others: they disturb nobody, and go back to their owners.
#include <gtest/gtest.h>

#include "sandbox/promise_records.h"
#include "sim/scene_events.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

class ForeignMessages : public ::testing::Test {
 protected:
  static bool is_cordoned(Scene& scene, const InstanceId& id) {
    const auto node = scene.kube().find_node(id);
    return node && node->unschedulable;
  }
  /// The seconds from now on until the Node is cordoned.
  static double cordoned_within(Scene& scene, const InstanceId& id) {
    return scene.advance_until([&] { return is_cordoned(scene, id); }, 60s);
  }
  /// Writes to Kubernetes about anything but this Node and its pods.
  static std::size_t writes_elsewhere(Scene& scene, const std::string& node) {
    std::size_t n = 0;
    for (const auto& entry : scene.journal().entries()) {
      const bool writes = entry.service == "kubernetes" &&
                          (entry.operation.ends_with(".patch") || entry.operation.ends_with(".update"));
      n += writes && entry.subject != node ? 1 : 0;
    }
    return n;
  }
  static std::size_t removed(const Scene& scene) {
    std::size_t n = 0;
    for (const auto& [id, story] : message_stories(scene.journal())) n += story.removed ? 1 : 0;
    return n;
  }
  /// Messages received in the seconds [from, to) of the scene.
  static double received_per_second(const Scene& scene, SteadyTime from, Duration length) {
    std::size_t n = 0;
    for (const auto& entry : scene.journal().entries()) {
      if (entry.operation != "ReceiveMessage" || entry.at < from || entry.at >= from + length) continue;
      n += sandbox::split(sandbox::detail(entry, "messages")).size();
    }
    return static_cast<double>(n) / seconds(length);
  }
};

TEST_F(ForeignMessages, AThousandInARowHoldUpNobody) {
  Scene scene(SceneShape::quiet(), 31);
  SceneEvents events(scene);
  Replica& replica = scene.start();
  scene.advance(5s);
  for (const InstanceId& id : events.foreign(1000, Foreign::untagged)) events.spot(id);
  const InstanceId own = scene.instances().front();
  events.spot(own);
  EXPECT_LT(cordoned_within(scene, own), 5.0);
  scene.advance(30s);
  EXPECT_EQ(writes_elsewhere(scene, scene.kube().find_node(own)->name), 0U);
  EXPECT_EQ(removed(scene), 1U) << "the own one";
  EXPECT_EQ(scene.queue().messages().size(), 1000U);
  const std::size_t asked = scene.count("ec2", "DescribeInstances");
  RecordProperty("describe_instances", static_cast<int>(asked));
  EXPECT_LE(asked, 1000U / 50);
  EXPECT_EQ(scene.count("ec2", "DescribeInstances", "RequestLimitExceeded"), 0U);
  EXPECT_FALSE(replica.ended);
  scene.terms().finished = false;
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(ForeignMessages, TenThousandThatNobodyOwnsAreGoneAfterTheirUsefulLife) {
  SceneShape shape = SceneShape::quiet();
  shape.latency = 10ms;
  Scene scene(shape, 32);
  SceneEvents events(scene);
  scene.start();
  scene.advance(5s);
  const SteadyTime start = scene.sim().clock.now();
  for (const InstanceId& id : events.foreign(10'000, Foreign::other_clusters)) events.spot(id);
  double slowest = 0;
  for (const InstanceId& own : scene.instances()) {
    events.spot(own);
    slowest = std::max(slowest, cordoned_within(scene, own));
    scene.advance(60s);
  }
  EXPECT_LT(slowest, 5.0);
  const double at_first = received_per_second(scene, start, 20s);
  const double later = received_per_second(scene, start + 150s, 20s);
  RecordProperty("received_per_second_at_first", std::to_string(at_first));
  RecordProperty("received_per_second_later", std::to_string(later));
  RecordProperty("slowest_own_cordon", std::to_string(slowest));
  // Given back for 60 s each, give or take 30 %: 167 a second.
  EXPECT_LE(later, 250);
  EXPECT_LT(later, at_first / 2);
  scene.advance(start + 5min + 100s - scene.sim().clock.now());
  EXPECT_EQ(scene.queue().messages().size(), 0U);
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(ForeignMessages, InASharedQueueItsOwnerGetsItWithinFiveSeconds) {
  Scene scene(SceneShape::quiet(), 33);
  SceneEvents events(scene);
  scene.start();
  scene.advance(5s);
  const std::string message = events.spot(events.foreign(1, Foreign::untagged).front());
  scene.advance(100ms);
  const SteadyTime from = scene.sim().clock.now();
  const auto got = scene.sim().run(scene.queue().receive(1, 5s, 30s));
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got.front().id, message);
  EXPECT_LE(seconds(scene.sim().clock.now() - from), 5.0);
  EXPECT_EQ(scene.count("kubernetes", "nodes.patch"), 0U);
  EXPECT_EQ(removed(scene), 0U);
}

TEST_F(ForeignMessages, InAnExclusiveQueueItIsDeletedOnce) {
  SceneShape shape = SceneShape::quiet();
  shape.arguments = {"--queue-mode", "exclusive"};
  shape.terms.exclusive_queue = true;
  Scene scene(shape, 34);
  SceneEvents events(scene);
  scene.start();
  scene.advance(5s);
  events.spot(events.foreign(1, Foreign::untagged).front());
  scene.advance(10s);
  EXPECT_EQ(removed(scene), 1U);
  EXPECT_EQ(scene.count("kubernetes", "nodes.patch"), 0U);
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(ForeignMessages, AnInstanceWhoseGroupAloneCarriesTheTagIsOurs) {
  Scene scene(SceneShape::quiet(), 35);
  sandbox::Group& group = scene.cluster().group();
  sandbox::LaunchSpec launch;
  launch.running = true;
  const InstanceId untagged = scene.aws().groups().launch(group, launch);
  group.spec.tags["kubernetes.io/cluster/sim"] = "owned";
  scene.start();
  scene.advance(5s);
  scene.cluster().end(untagged);
  scene.advance(150s);
  EXPECT_GE(scene.count("autoscaling", "RecordLifecycleActionHeartbeat"), 3U);
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 0U) << "its node may still come";
  EXPECT_EQ(scene.queue().messages().size(), 1U);
}

}  // namespace
}  // namespace ferryman::sim
