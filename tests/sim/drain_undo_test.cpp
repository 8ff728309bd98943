// SPDX-License-Identifier: Apache-2.0
// Marks that are taken back, and those that are not ours to take.
#include <gtest/gtest.h>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/node_objects.h"
#include "sim/drain_scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

class Undo : public ::testing::Test {
 protected:
  static std::vector<std::string> voluntary(std::vector<std::string> more) {
    more.insert(more.end(), {"--on-rebalance-recommendation=drain", "--voluntary-min-age=0s",
                             "--max-termination-time", "5m", "--voluntary-undo-after=2h"});
    return more;
  }
  static bool cordoned(DrainScene& stage) {
    return stage.scene.kube().find_node(stage.instance())->unschedulable;
  }
  static bool tainted(DrainScene& stage) {
    const auto node = stage.scene.kube().state().objects.find("nodes", {"", stage.node_name()});
    return sandbox::has_taint(*node, "ferryman.dev/terminating", "NoSchedule");
  }
  static void recommend(DrainScene& stage) {
    sandbox::PodSpec singleton = stage.pod("singleton");
    singleton.annotations["ferryman.dev/forced-ends-only"] = "true";
    stage.add(singleton);
    stage.scene.terms().ignored_kinds.erase("rebalance-recommendation");
    stage.start();
    stage.scene.aws().interruptions().rebalance(stage.instance());
  }
};

// Pain 97.
TEST_F(Undo, AFailedDrainOfAVoluntaryEndMakesTheNodeUsableAgainBySetting) {
  DrainScene stage(voluntary({"--undo-failed-drain"}));
  recommend(stage);
  stage.advance(1min);
  EXPECT_TRUE(cordoned(stage));
  EXPECT_TRUE(tainted(stage));
  stage.advance(6min);
  EXPECT_FALSE(cordoned(stage));
  EXPECT_FALSE(tainted(stage));
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST_F(Undo, AFailedDrainLeavesItsMarksWhereNoSettingSaysOtherwise) {
  DrainScene stage(voluntary({}));
  recommend(stage);
  stage.advance(10min);
  EXPECT_TRUE(cordoned(stage));
  EXPECT_TRUE(tainted(stage));
}

TEST_F(Undo, AHumansCordonIsNeverTakenBack) {
  DrainScene stage(voluntary({"--undo-failed-drain"}));
  auto& objects = stage.scene.kube().state().objects;
  const sandbox::ObjectKey key("", stage.node_name());
  json::value node = *objects.find("nodes", key);
  sandbox::make_at(node, "spec.unschedulable") = true;
  objects.update("nodes", key, std::move(node));
  recommend(stage);
  stage.advance(1min);
  EXPECT_TRUE(tainted(stage));
  stage.advance(9min);
  EXPECT_FALSE(tainted(stage));
  EXPECT_TRUE(cordoned(stage));
}

TEST_F(Undo, ARebootThatWasDrainedForLeavesNoMark) {
  DrainScene stage(voluntary({}));
  stage.add(stage.pod("web"));
  stage.scene.terms().ignored_kinds.erase("rebalance-recommendation");
  stage.start();
  stage.scene.aws().interruptions().rebalance(stage.instance());
  stage.advance(1min);
  ASSERT_TRUE(cordoned(stage));
  stage.scene.kube().node_stopped(stage.instance());
  stage.advance(30s);
  stage.scene.kube().node_started(stage.instance(), 5s);  // under another boot id
  stage.advance(3min);
  EXPECT_FALSE(cordoned(stage));
  EXPECT_FALSE(tainted(stage));
  const auto node = stage.scene.kube().state().objects.find("nodes", {"", stage.node_name()});
  const json::value* labels = sandbox::value_at(*node, "metadata.labels");
  EXPECT_EQ(find(labels, "node.kubernetes.io/exclude-from-external-load-balancers"), nullptr);
}

}  // namespace
}  // namespace ferryman::sim
