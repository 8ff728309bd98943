// SPDX-License-Identifier: Apache-2.0
// The whole daemon with --shadow: it goes through all steps, and nobody notices.
#include <gtest/gtest.h>

#include "sim/scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

bool reads(std::string_view call) {
  for (const std::string_view verb : {".list", ".watch", ".get"}) {
    if (call.ends_with(verb)) return true;
  }
  for (const std::string_view verb : {".Describe", ".Get", ".ReceiveMessage"}) {
    if (call.find(verb) != std::string_view::npos) return true;
  }
  return false;
}

/// The calls of the record that are not reads.
std::vector<std::string> writes(const Scene& scene) {
  std::vector<std::string> made;
  for (const auto* calls : {&scene.journal().aws_calls(), &scene.journal().kubernetes_calls()}) {
    for (const auto& [call, count] : *calls) {
      if (!reads(call)) made.push_back(call + " " + std::to_string(count));
    }
  }
  return made;
}

TEST(Shadow, TheDaemonFinishesAndNothingIsWrittenAnywhere) {
  SceneShape shape;
  shape.arguments = {"--shadow"};
  shape.heartbeat_timeout = 600s;
  shape.terminate = 2;
  Scene scene(shape, 11);
  Replica& replica = scene.start();
  scene.advance(5s);
  scene.terminate();
  scene.advance(5min);
  EXPECT_EQ(writes(scene), std::vector<std::string>{});
  EXPECT_GT(scene.count("sqs", "ReceiveMessage"), 0U);
  EXPECT_EQ(replica.logs.with("termination.finished").size(), 2U);
  EXPECT_EQ(replica.logs.with("result=completed").size(), 2U);
  EXPECT_EQ(replica.logs.with("shadow.would call=CompleteLifecycleAction").size(), 2U);
  EXPECT_GT(replica.logs.with("shadow.would call=\"evict pod\"").size(), 0U);
  EXPECT_EQ(replica.logs.with("shadow.would call=DeregisterTargets").size(), 2U) << "one call a group";
  EXPECT_EQ(replica.logs.with("pod.evicted").size(), replica.logs.with("pod.evicted shadow=true").size());
  EXPECT_EQ(replica.daemon->failures(), 0U);
}

/// What --shadow is for: it looks on while another does the work.
TEST(Shadow, AnotherDaemonsWorkIsNotDisturbed) {
  SceneShape shape;
  Scene scene(shape, 12);
  scene.start();
  scene.cluster().give_arguments({"--shadow"});
  scene.start();
  scene.advance(5s);
  scene.terminate();
  EXPECT_TRUE(scene.run_to_the_end(10min));
  EXPECT_EQ(scene.broken(), "");
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 1U);
}

}  // namespace
}  // namespace ferryman::sim
