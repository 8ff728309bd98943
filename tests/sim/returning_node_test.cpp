// SPDX-License-Identifier: Apache-2.0
// Instances that come back under the same id: from the warm pool, after a stop, after a reboot.
#include <gtest/gtest.h>

#include "sim/scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

class ReturningNode : public ::testing::Test {
 protected:
  static void add_launch_hook(Scene& scene) {
    sandbox::GroupHook hook;
    hook.name = "join";
    hook.transition = "autoscaling:EC2_INSTANCE_LAUNCHING";
    hook.heartbeat_timeout = 10min;
    scene.cluster().group().hooks["join"] = hook;
  }
  static std::string state_of(Scene& scene, const InstanceId& id) {
    const auto& members = scene.cluster().group().members;
    return members.contains(id) ? members.at(id) : "none";
  }
  static bool reaches(Scene& scene, const InstanceId& id, const std::string& state, Duration longest) {
    scene.advance_until([&] { return state_of(scene, id) == state; }, longest);
    return state_of(scene, id) == state;
  }
  /// In how many load balancers it is, and not about to leave.
  static std::size_t registrations(Scene& scene, const InstanceId& id) {
    std::size_t n = 0;
    for (const auto& [arn, group] : scene.aws().target_groups().all()) {
      for (const auto& [target, registration] : group.targets)
        n += target.id == id.str() && registration.state != sandbox::TargetState::draining ? 1 : 0;
    }
    for (const auto& [name, balancer] : scene.aws().classic_balancers().all())
      n += balancer.instances.contains(id) ? 1 : 0;
    return n;
  }
};

TEST_F(ReturningNode, FromTheWarmPoolIsSchedulableRegisteredAndItsNextEndIsHandled) {
  Scene scene(SceneShape{}, 71);
  add_launch_hook(scene);
  scene.cluster().group().warm_pool = sandbox::WarmPool();
  scene.start();
  scene.advance(5s);
  const InstanceId id = scene.instances().front();
  scene.cluster().end(id);
  ASSERT_TRUE(reaches(scene, id, "Warmed:Stopped", 10min));
  EXPECT_EQ(registrations(scene, id), 0U);
  scene.advance(2min);
  ASSERT_TRUE(scene.aws().groups().take_from_warm_pool(id));
  EXPECT_TRUE(reaches(scene, id, "InService", 5min)) << "its launch hook is completed";
  scene.advance(1min);
  EXPECT_FALSE(scene.kube().find_node(id)->unschedulable);
  EXPECT_EQ(registrations(scene, id), 3U);
  scene.cluster().end(id);
  EXPECT_TRUE(reaches(scene, id, "Warmed:Stopped", 10min));
  scene.advance(10s);
  EXPECT_TRUE(scene.queue().messages().empty());
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(ReturningNode, AfterASpotStopItIsSchedulableAgain) {
  SceneShape shape;
  shape.terminate = 0;
  Scene scene(shape, 72);
  scene.start();
  scene.advance(5s);
  const InstanceId id = scene.instances().front();
  ASSERT_TRUE(scene.aws().interruptions().spot(id, "stop"));
  scene.advance(3s);
  EXPECT_TRUE(scene.kube().find_node(id)->unschedulable);
  scene.advance(5min);
  ASSERT_TRUE(scene.aws().instances().start(id));
  scene.advance(2min);
  EXPECT_FALSE(scene.kube().find_node(id)->unschedulable);
  EXPECT_EQ(registrations(scene, id), 3U);
  EXPECT_TRUE(scene.queue().messages().empty());
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(ReturningNode, ASpotTerminationNeedsNoCompletion) {
  SceneShape shape;
  shape.terminate = 0;
  Scene scene(shape, 73);
  scene.start();
  scene.advance(5s);
  const InstanceId id = scene.instances().front();
  ASSERT_TRUE(scene.aws().interruptions().spot(id));
  scene.advance(110s);
  EXPECT_TRUE(scene.kube().find_node(id)->unschedulable);
  for (const auto& pod : scene.kube().pods_of(id)) EXPECT_EQ(pod.owner_kind, "DaemonSet") << pod.name;
  scene.advance(5min);
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 0U);
  EXPECT_TRUE(scene.queue().messages().empty());
  EXPECT_EQ(scene.broken(), "");
}

}  // namespace
}  // namespace ferryman::sim
