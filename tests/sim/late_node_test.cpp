// SPDX-License-Identifier: Apache-2.0
// A hook waits, and the node is late, never comes, or the instance is gone already.
#include <gtest/gtest.h>

#include "sandbox/promise_records.h"
#include "sim/scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

class LateNode : public ::testing::Test {
 protected:
  static SceneShape shape() {
    SceneShape shape;
    shape.nodes = 2;
    shape.heartbeat_timeout = 30s;
    shape.terminate = 0;
    shape.target_groups = 0;
    shape.classic_elbs = 0;
    return shape;
  }
  /// The seconds of the scene at which the instance's entries of that name happened.
  static std::vector<double> times(const Scene& scene, const InstanceId& id, std::string_view operation) {
    std::vector<double> all;
    for (const auto& entry : scene.journal().entries()) {
      const bool meant = entry.operation == operation && entry.outcome == "ok" && entry.subject == id.str();
      if (meant) all.push_back(seconds(entry.at - scene.journal().entries().front().at));
    }
    return all;
  }
  static double longest_gap(const Scene& scene, const InstanceId& id, double until) {
    double last = times(scene, id, "hook.waiting").at(0);
    double longest = 0;
    for (const double at : times(scene, id, "RecordLifecycleActionHeartbeat")) {
      longest = std::max(longest, at - last);
      last = at;
    }
    return std::max(longest, until - last);
  }
  static bool is_cordoned(Scene& scene, const InstanceId& id) {
    const auto node = scene.kube().find_node(id);
    return node && node->unschedulable;
  }
  /// A pod that ends 10 s after its eviction, bound to the instance's Node so long from now.
  static void bind_a_pod(Scene& scene, const InstanceId& id, Duration when) {
    scene.aws().timeline().after(when, [&scene, id] {
      sandbox::PodSpec pod;
      pod.name = "late";
      pod.node_name = scene.kube().find_node(id)->name;
      pod.behaviour.end_time = 10s;
      scene.kube().add_pod(pod);
    });
  }
  /// An instance of the group that never joins, and that its group and EC2 see as `prepare` leaves it; the
  /// daemon starts when its hook waits.
  static InstanceId waiting_without_a_node(Scene& scene) {
    scene.aws().settings().gone_noticed = 30min;
    const InstanceId id = scene.cluster().start_late(std::nullopt);
    scene.advance(1s);
    scene.cluster().end(id);
    scene.advance(2s);
    return id;
  }
};

TEST_F(LateNode, IsWaitedForCordonedAtOnceAndDrained) {
  Scene scene(shape(), 61);
  scene.start();
  const InstanceId id = scene.cluster().start_late(41s);
  bind_a_pod(scene, id, 43s);
  scene.cluster().end(id);  // its hook waits from 1 s on
  scene.advance(41s);
  EXPECT_TRUE(scene.kube().find_node(id));
  EXPECT_EQ(scene.queue().messages().size(), 1U);
  EXPECT_LE(scene.advance_until([&] { return is_cordoned(scene, id); }, 10s), 3.0);
  scene.advance(60s);
  const auto completed = times(scene, id, "CompleteLifecycleAction");
  ASSERT_EQ(completed.size(), 1U);
  EXPECT_NEAR(completed[0], 55, 5);
  EXPECT_LE(longest_gap(scene, id, completed[0]), 14.0);
  EXPECT_EQ(scene.count("kubernetes", "pods.evict"), 1U);
  EXPECT_TRUE(scene.queue().messages().empty());
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(LateNode, ThatNeverComesLetsTheHookGoWhenItsInstanceIsGone) {
  Scene scene(shape(), 62);
  scene.start();
  const InstanceId id = waiting_without_a_node(scene);
  scene.advance(87s);
  EXPECT_EQ(times(scene, id, "CompleteLifecycleAction").size(), 0U);
  EXPECT_LE(longest_gap(scene, id, 90), 14.0);
  scene.aws().instances().shut_down(id);
  scene.advance(60s);
  EXPECT_EQ(times(scene, id, "CompleteLifecycleAction").size(), 1U);
  EXPECT_TRUE(scene.queue().messages().empty());
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(LateNode, OfAnInstanceThatEc2ForgotIsNotWaitedFor) {
  Scene scene(shape(), 63);
  scene.aws().settings().remembered = 0s;
  scene.cluster().group().spec.tags["kubernetes.io/cluster/sim"] = "owned";
  const InstanceId id = waiting_without_a_node(scene);
  scene.aws().instances().shut_down(id);
  scene.advance(6s);
  ASSERT_EQ(scene.aws().instances().find(id), nullptr);
  scene.start();
  const auto completed = [&] { return !times(scene, id, "CompleteLifecycleAction").empty(); };
  EXPECT_LE(scene.advance_until(completed, 60s), 15.0);
  scene.advance(5s);
  EXPECT_TRUE(scene.queue().messages().empty());
  EXPECT_EQ(scene.count("kubernetes", "nodes.patch"), 0U);
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(LateNode, OfAnInstanceInTheWarmPoolIsNotWaitedFor) {
  Scene scene(shape(), 64);
  const InstanceId id = waiting_without_a_node(scene);
  scene.cluster().group().members[id] = "Warmed:Terminating:Wait";
  scene.start();
  const auto completed = [&] { return !times(scene, id, "CompleteLifecycleAction").empty(); };
  EXPECT_LE(scene.advance_until(completed, 60s), 5.0);
  scene.advance(5s);
  EXPECT_TRUE(scene.queue().messages().empty());
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(LateNode, OfATerminatedInstanceThatIsStillThereIsDrained) {
  SceneShape with_its_node = shape();
  with_its_node.node_removal = 3h;
  Scene scene(with_its_node, 65);
  scene.aws().settings().gone_noticed = 3h;
  const InstanceId id = scene.instances().front();
  scene.cluster().end(id);
  scene.advance(2s);
  scene.aws().instances().shut_down(id);
  scene.advance(6s);
  scene.start();
  const auto completed = [&] { return !times(scene, id, "CompleteLifecycleAction").empty(); };
  EXPECT_LE(scene.advance_until(completed, 2h), 200.0);
  EXPECT_TRUE(is_cordoned(scene, id));
  EXPECT_EQ(times(scene, id, "CompleteLifecycleAction").size(), 1U);
  scene.advance(10s);
  EXPECT_TRUE(scene.queue().messages().empty());
}

TEST_F(LateNode, AnActionThatIsOverAlreadyIsNotTriedAgain) {
  Scene scene(shape(), 66);
  Replica& replica = scene.start();
  scene.advance(5s);
  const InstanceId id = scene.instances().front();
  scene.cluster().end(id);
  scene.advance(3s);
  sandbox::ActionKey key;
  key.group = "workers";
  key.hook = "drain";
  key.instance_id = id;
  ASSERT_TRUE(scene.aws().groups().complete(key, "CONTINUE"));
  scene.advance(3min);
  EXPECT_LE(scene.count("autoscaling", "CompleteLifecycleAction", "ValidationError"), 1U);
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 0U);
  EXPECT_TRUE(scene.queue().messages().empty());
  EXPECT_TRUE(replica.logs.with("error ").empty());
}

}  // namespace
}  // namespace ferryman::sim
