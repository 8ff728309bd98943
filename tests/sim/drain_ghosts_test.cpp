// SPDX-License-Identifier: Apache-2.0
// Kubelets that are silent, taints that end pods, volumes that stay attached, Nodes that outlive their
// instance, kubelets that end their pods by themselves.
#include <gtest/gtest.h>

#include "sim/drain_scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

/// The taints of the first node by key, with the seconds at which each was written first.
std::map<std::string, double> taints_written(const DrainScene& stage, SteadyTime from) {
  std::map<std::string, double> all;
  for (const auto& entry : stage.scene.journal().entries()) {
    if (entry.operation != "nodes.patch" || !entry.details.contains("taints")) continue;
    std::string text = entry.details.at("taints");
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      all.try_emplace(text.substr(at, end - at), seconds(entry.at - from));
      at = end + 1;
    }
  }
  return all;
}

// Pain 88.
TEST(ASilentKubelet, ItsPodsGetGraceOneAndAreNotWaitedFor) {
  DrainScene stage;
  sandbox::PodSpec web = stage.pod("web");
  web.behaviour.grace = 600s;
  stage.add(web);
  stage.scene.kube().node_stopped(stage.instance());
  stage.advance(60s);
  stage.end();
  stage.advance(40s);
  EXPECT_EQ(stage.calls_in_words("web"), "evict ok 1");
  ASSERT_TRUE(stage.completed());
  EXPECT_LT(*stage.completed(), 30.0);
  EXPECT_NE(stage.report("web").find("kubelet"), std::string::npos) << stage.report("web");
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST(ASilentKubelet, ItsNodeLeavesTheBalancersFirst) {
  SceneShape shape = DrainScene::shape_with({});
  shape.target_groups = 2;
  DrainScene stage(shape);
  stage.add(stage.pod("web"));
  stage.scene.kube().node_stopped(stage.instance());
  stage.advance(60s);
  stage.end();
  stage.advance(10min);
  const auto left = stage.fact("target.draining", stage.instance().str());
  ASSERT_TRUE(left);
  ASSERT_FALSE(stage.calls("web").empty());
  EXPECT_LE(*left, stage.calls("web").front().second);  // calls take no time here; `broken` knows the order
  EXPECT_TRUE(stage.completed());
  EXPECT_EQ(stage.scene.broken(), "");
}

// Pain 89.
TEST(TaintsOfADrain, BeforeItNoScheduleAndNothingThatEndsPods) {
  DrainScene stage({"--no-execute-after-drain"});
  sandbox::PodSpec web = stage.pod("web");
  web.behaviour.end_time = 25s;
  stage.add(web);
  const SteadyTime from = stage.scene.sim().clock.now() + 5s;
  stage.end();
  stage.advance(2min);
  const auto taints = taints_written(stage, from);
  ASSERT_TRUE(taints.contains("ferryman.dev/terminating:NoSchedule"));
  ASSERT_TRUE(taints.contains("ferryman.dev/terminating:NoExecute"));
  EXPECT_LT(taints.at("ferryman.dev/terminating:NoSchedule"), 5.0);
  EXPECT_GE(taints.at("ferryman.dev/terminating:NoExecute"), *stage.fact("pod.gone", "default/web"));
  EXPECT_NE(stage.line("node.no_execute"), "");
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST(TaintsOfADrain, NoExecuteIsNotWrittenUnlessASettingSaysSo) {
  DrainScene stage;
  stage.add(stage.pod("web"));
  stage.end();
  stage.advance(2min);
  ASSERT_TRUE(stage.completed());
  EXPECT_FALSE(taints_written(stage, {}).contains("ferryman.dev/terminating:NoExecute"));
}

// Pain 94.
class Volumes : public ::testing::Test {
 protected:
  static void attach(DrainScene& stage, Duration detach) {
    sandbox::VolumeSpec volume("data", stage.node_name());
    volume.detach = detach;
    stage.scene.kube().add_volume(volume);
    sandbox::PodSpec db = stage.pod("db");
    db.behaviour.claims = {"data"};
    stage.add(db);
  }
};

TEST_F(Volumes, OfItsPodsAreWaitedForBeforeTheInstanceIsLetGo) {
  DrainScene stage;
  attach(stage, 25s);
  // Of a pod that stays where it is.
  stage.scene.kube().add_volume(sandbox::VolumeSpec("others", stage.node_name(1)));
  stage.end();
  stage.advance(2min);
  ASSERT_TRUE(stage.completed());
  ASSERT_TRUE(stage.fact("volume.detached", "csi-pv-data"));
  EXPECT_GE(*stage.completed(), *stage.fact("volume.detached", "csi-pv-data"));
  EXPECT_LT(*stage.completed(), *stage.fact("volume.detached", "csi-pv-data") + 8.0);
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST_F(Volumes, ThatAreNotLetGoAreWaitedForAMinuteAndNamed) {
  DrainScene stage;
  attach(stage, 20min);
  stage.end();
  stage.advance(3min);
  ASSERT_TRUE(stage.completed());
  EXPECT_NEAR(*stage.completed(), 65.0, 10.0);
  EXPECT_NE(stage.line("volumes.left").find("pv-data"), std::string::npos) << stage.line("volumes.left");
}

TEST_F(Volumes, AreNotWaitedForWhenASpotNoticeLeavesNoTime) {
  DrainScene stage;
  attach(stage, 20min);
  stage.end_by_spot();
  stage.advance(30s);
  EXPECT_NE(stage.line("termination.finished"), "");
}

TEST_F(Volumes, OutOfServiceComesOnlyOnceTheInstanceIsOff) {
  SceneShape shape = DrainScene::shape_with({"--out-of-service-taint"});
  shape.state_changes = true;
  DrainScene stage(shape);
  attach(stage, 5s);
  const SteadyTime from = stage.scene.sim().clock.now() + 5s;
  sandbox::PodSpec stuck = stage.pod("stuck");
  stuck.behaviour.stuck = true;
  stage.add(stuck);
  stage.start();
  stage.scene.aws().interruptions().spot(stage.instance(), "stop");
  stage.advance(8min);
  const auto taints = taints_written(stage, from);
  ASSERT_TRUE(taints.contains("node.kubernetes.io/out-of-service:NoExecute"));
  EXPECT_GE(taints.at("node.kubernetes.io/out-of-service:NoExecute"),
            *stage.fact("instance.stopped", stage.instance().str()));
  EXPECT_TRUE(stage.fact("pod.gone", "default/stuck"));
  EXPECT_EQ(stage.scene.broken(), "");
}

// Pain 96.
TEST(WhatAKubeletEndedByItself, IsNoObstacle) {
  DrainScene stage;
  for (const char* phase : {"Failed", "Succeeded"}) {
    sandbox::PodSpec pod = stage.pod(phase == std::string("Failed") ? "shut-down" : "done");
    pod.phase = phase;
    stage.add(pod);
  }
  stage.end();
  stage.advance(30s);
  ASSERT_TRUE(stage.completed());
  EXPECT_LT(*stage.completed(), 15.0);
  EXPECT_EQ(stage.scene.broken(), "");
}

// Pain 98.
class GhostNode : public ::testing::Test {
 protected:
  static SceneShape shape(std::vector<std::string> arguments) {
    SceneShape shape = DrainScene::shape_with(std::move(arguments));
    shape.node_removal = 2h;
    return shape;
  }
};

TEST_F(GhostNode, GoesWithItsPodsOnceEc2SaysThatTheInstanceIsTerminated) {
  DrainScene stage(shape({"--delete-node"}));
  sandbox::PodSpec stuck = stage.pod("stuck");
  stuck.behaviour.stuck = true;
  stage.add(stuck);
  const std::string node = stage.node_name();
  stage.end_by_spot();
  stage.advance(8min);
  ASSERT_TRUE(stage.fact("node.removed", node));
  EXPECT_GE(*stage.fact("node.removed", node), *stage.fact("instance.terminated", stage.instance().str()));
  EXPECT_TRUE(stage.fact("pod.gone", "default/stuck"));
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST_F(GhostNode, StaysWhereNoSettingSaysOtherwise) {
  DrainScene stage(shape({}));
  stage.add(stage.pod("web"));
  const std::string node = stage.node_name();
  stage.end();
  stage.advance(10min);
  EXPECT_TRUE(stage.completed());
  EXPECT_FALSE(stage.fact("node.removed", node));
}

}  // namespace
}  // namespace ferryman::sim
