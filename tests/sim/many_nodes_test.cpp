// SPDX-License-Identifier: Apache-2.0
// Many nodes that end at once under one budget, and one blocked node among many.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/drain_scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

/// Ten pods per node, of one deployment; `ending` of the nodes will end.
SceneShape crowd(int nodes, int ending) {
  SceneShape shape = DrainScene::shape_with({});
  shape.nodes = nodes;
  shape.terminate = ending;
  shape.replicas = nodes * 10;
  shape.terms.ask_margin = 15s;
  return shape;
}

/// From `from` to the moment when the last node was made unschedulable.
double last_cordon(const Scene& scene, SteadyTime from, int nodes) {
  double last = 0;
  for (const auto& entry : scene.journal().entries()) {
    if (entry.operation != "nodes.patch" || !entry.details.contains("unschedulable")) continue;
    --nodes;
    last = std::max(last, seconds(entry.at - from));
  }
  EXPECT_EQ(nodes, 0) << "each node is cordoned once";
  return last;
}

bool has_value(const std::string& line, const std::string& field) {
  return line.find(field + "=") != std::string::npos && line.find(field + "=\"\"") == std::string::npos;
}

TEST(TwoHundredSpotNoticesAtOnce, EveryPodIsAskedInTimeAndTheReportNamesWhatWasCut) {
  constexpr int ending = 200;
  SceneShape shape = crowd(220, ending);
  shape.latency = 20ms;
  shape.ready_after = 20s;  // so that a tenth at a time is not enough
  DrainScene stage(shape, 41);
  stage.budget("web", "web", R"("maxUnavailable":"10%")");
  stage.advance(1s);
  stage.start();
  for (int i = 0; i < ending; ++i) stage.scene.aws().interruptions().spot(stage.scene.instances().at(i));
  stage.advance(3min);
  EXPECT_LE(last_cordon(stage.scene, stage.began(), ending), 5.0);
  EXPECT_EQ(stage.scene.broken(), "");
  // By the budget as long as it could be, then past it, and then it is said.
  const std::size_t deleted = stage.scene.count("kubernetes", "pods.delete");
  EXPECT_GT(stage.scene.count("kubernetes", "pods.evict"), 400U);
  EXPECT_GT(deleted, 0U);
  std::size_t told = 0;
  for (const std::string& line : stage.replica->logs.with("pod.report")) {
    if (!has_value(line, "deleted")) continue;
    ++told;
    EXPECT_NE(line.find("budget default/web"), std::string::npos) << line;
  }
  EXPECT_EQ(told, deleted);
  EXPECT_EQ(stage.replica->logs.with("drain.report").size(), std::size_t{ending});
  for (const std::string& line : stage.replica->logs.with("drain.report")) {
    if (line.find(" deleted=0") == std::string::npos) EXPECT_TRUE(has_value(line, "cut")) << line;
  }
}

/// When each instance's hook was completed, in seconds; 51 of 61 nodes end at once.
std::map<std::string, double> completions(bool blocked, std::size_t& calls) {
  SceneShape shape = crowd(61, 51);
  shape.arguments = {"--max-termination-time", "2h"};
  shape.terms.final_deadline = 2h;
  shape.terms.ask_margin.reset();
  shape.terms.finished = false;
  DrainScene stage(shape, 42);
  stage.budget("web", "web", R"("maxUnavailable":"10%")");
  sandbox::PodSpec single = stage.pod("single");
  stage.add(single);
  if (blocked) stage.budget("single", "single");
  stage.advance(1s);
  stage.start();
  stage.scene.terminate();
  stage.advance(65min);
  calls = stage.calls("single").size();
  std::map<std::string, double> all;
  for (const auto& entry : stage.scene.journal().entries()) {
    if (entry.operation == "hook.completed") all[entry.subject] = seconds(entry.at - stage.began());
  }
  EXPECT_EQ(all.contains(stage.instance().str()), !blocked);
  all.erase(stage.instance().str());
  EXPECT_EQ(stage.scene.broken(), "");
  return all;
}

TEST(OneBlockedNode, CostsFewCallsInAnHourAndHoldsUpNoOther) {
  std::size_t calls_blocked = 0;
  std::size_t calls_free = 0;
  const auto with = completions(true, calls_blocked);
  const auto without = completions(false, calls_free);
  EXPECT_GT(calls_blocked, 20U);
  EXPECT_LT(calls_blocked, 200U);
  EXPECT_EQ(calls_free, 1U);
  ASSERT_EQ(with.size(), 50U);
  ASSERT_EQ(without.size(), 50U);
  const auto last = [](const std::map<std::string, double>& all) {
    return std::max_element(all.begin(), all.end(), [](auto& a, auto& b) { return a.second < b.second; })
        ->second;
  };
  std::vector<double> differences;
  for (const auto& [id, second] : without) differences.push_back(std::abs(second - with.at(id)));
  EXPECT_NEAR(last(with), last(without), 5.0);
  EXPECT_LT(percentile(differences, 50), 3.0);
}

}  // namespace
}  // namespace ferryman::sim
