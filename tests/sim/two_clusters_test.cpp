// SPDX-License-Identifier: Apache-2.0
// Two clusters in one account, on one queue, each with its daemon: every message finds its owner.
#include <gtest/gtest.h>

#include "sandbox/promise_records.h"
#include "sim/scene_events.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

constexpr const char* bare_tag = "aws-node-termination-handler/managed";

SceneShape shape_with(int nodes) {
  SceneShape shape = SceneShape::quiet();
  shape.nodes = nodes;
  shape.replicas = 20;
  shape.latency = 10ms;
  return shape;
}

class TwoClusters : public ::testing::Test {
 protected:
  /// A spot notice for every node of both clusters, in turn, and whose message is whose.
  static std::map<std::string, SceneCluster*> send_mixed(Scene& scene) {
    SceneEvents events(scene);
    std::map<std::string, SceneCluster*> owners;
    for (std::size_t i = 0; i < scene.instances().size(); ++i) {
      for (const std::size_t n : {0, 1}) {
        SceneCluster& cluster = scene.cluster(n);
        owners[events.spot(cluster.instances().at(i))] = &cluster;
      }
    }
    return owners;
  }
  /// The seconds from each message's sending to its Node's claim.
  static std::vector<double> delays(Scene& scene, SteadyTime sent) {
    std::vector<double> all;
    for (const auto& [node, at] : claim_times(scene.journal())) all.push_back(seconds(at - sent));
    return all;
  }
  static std::size_t calls_by(const Scene& scene, const SceneCluster& cluster, std::string_view operation) {
    std::size_t n = 0;
    for (const auto& entry : scene.journal().entries()) {
      n += entry.operation == operation && sandbox::detail(entry, "caller") == cluster.identity().arn ? 1 : 0;
    }
    return n;
  }
};

TEST_F(TwoClusters, FiveHundredMessagesEachWayFindTheirOwners) {
  constexpr int each = 500;
  Scene scene(shape_with(each), 41);
  SceneCluster& other = scene.add_cluster("other", shape_with(each));
  scene.start();
  scene.start(other);
  scene.advance(10s);
  const SteadyTime sent = scene.sim().clock.now();
  const auto owners = send_mixed(scene);
  scene.advance(5min);
  const std::vector<double> took = delays(scene, sent);
  ASSERT_EQ(took.size(), 2U * each) << "every node has its claim";
  EXPECT_LE(percentile(took, 95), 5.0);
  EXPECT_LE(percentile(took, 99), 30.0);
  RecordProperty("seconds_95_percent", std::to_string(percentile(took, 95)));
  RecordProperty("seconds_99_percent", std::to_string(percentile(took, 99)));
  std::vector<double> receives;
  for (const auto& [id, story] : message_stories(scene.journal())) {
    ASSERT_TRUE(story.removed) << id;
    EXPECT_EQ(story.remover, owners.at(id)->identity().arn);
    EXPECT_LE(story.removed->time_since_epoch(), (sent + 5min).time_since_epoch());
    receives.push_back(story.receives);
  }
  RecordProperty("receives_median", std::to_string(percentile(receives, 50)));
  RecordProperty("receives_99_percent", std::to_string(percentile(receives, 99)));
  RecordProperty("receives_most", std::to_string(percentile(receives, 100)));
  EXPECT_EQ(scene.broken(), "");
  EXPECT_EQ(scene.broken(other), "");
}

TEST_F(TwoClusters, ABareTagOnBothMakesNobodysLateNodeTheOthers) {
  SceneShape shape = shape_with(2);
  shape.tells_its_name = false;
  shape.arguments = {"--require-tag", bare_tag};
  shape.heartbeat_timeout = 60s;
  Scene scene(shape, 42);
  SceneCluster& other = scene.add_cluster("other", shape);
  for (const std::size_t n : {0, 1}) scene.cluster(n).group().spec.tags[bare_tag] = "";
  scene.start();
  scene.start(other);
  scene.advance(10s);
  const InstanceId late = scene.cluster().start_late(40s);
  scene.advance(1s);
  scene.cluster().end(late);
  scene.advance(38s);
  EXPECT_FALSE(scene.kube().find_node(late));
  const auto cordoned = [&] {
    const auto node = scene.kube().find_node(late);
    return node && node->unschedulable;
  };
  // From memory: the message may be hidden by the other one's release for a minute more.
  EXPECT_LE(scene.advance_until(cordoned, 2min), 5.0);
  scene.advance(2min);
  for (const char* call : {"RecordLifecycleActionHeartbeat", "CompleteLifecycleAction"})
    EXPECT_EQ(calls_by(scene, other, call), 0U) << call;
  EXPECT_EQ(calls_by(scene, scene.cluster(), "CompleteLifecycleAction"), 1U);
  EXPECT_EQ(scene.broken(), "");
  EXPECT_EQ(scene.broken(other), "");
}

}  // namespace
}  // namespace ferryman::sim
