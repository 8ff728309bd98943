// SPDX-License-Identifier: Apache-2.0
// One node out, end to end, with nothing going wrong.
#include <gtest/gtest.h>

#include "sim/scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

/// Shown when a test fails: the daemon's own words.
std::string story(const Scene& scene) {
  std::string all;
  for (const auto& replica : scene.replicas()) {
    for (const auto& line : replica->logs.lines) all += line + "\n";
  }
  return all;
}

TEST(OneNode, IsCordonedDrainedAndLetGo) {
  Scene scene(SceneShape{}, 1);
  scene.start();
  scene.advance(5s);
  scene.terminate();
  EXPECT_TRUE(scene.run_to_the_end(10min)) << story(scene);
  EXPECT_EQ(scene.broken(), "") << story(scene);
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 1U);
  EXPECT_EQ(scene.count("sqs", "DeleteMessageBatch"), 1U);
}

}  // namespace
}  // namespace ferryman::sim
