// SPDX-License-Identifier: Apache-2.0
#include "app/scenario_settings.h"

#include <gtest/gtest.h>

#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

using namespace std::chrono_literals;

Result<sandbox::Scenario> resolve(const std::vector<std::string>& arguments, const std::string& yaml = {}) {
  test::MemoryFiles files;
  files.files["s.yaml"] = yaml;
  const Resolution resolution = resolve_settings(sandbox_table(), arguments, Environment(), files);
  EXPECT_EQ(resolution.problems, std::vector<std::string>{});
  return scenario_of(resolution.values, files, 77);
}

TEST(ScenarioSettings, DefaultsOfTheTableAreThoseOfTheScenario) {
  const ResolvedSettings table = default_settings(sandbox_table());
  const sandbox::Scenario own;
  EXPECT_EQ(table.integer("nodes"), own.nodes);
  EXPECT_EQ(table.integer("pods-per-node"), own.pods_per_node);
  EXPECT_EQ(table.integer("min-available"), own.min_available);
  EXPECT_EQ(table.integer("foreign-instances"), own.foreign_instances);
  EXPECT_EQ(table.integer("target-groups"), own.target_groups);
  EXPECT_EQ(table.integer("classic-elbs"), own.classic_elbs);
  EXPECT_EQ(table.duration("pod-grace"), own.pod_grace);
  EXPECT_EQ(table.duration("pod-end"), own.pod_end);
  EXPECT_EQ(table.duration("pod-ready"), own.pod_ready);
  EXPECT_EQ(table.duration("heartbeat-timeout"), own.heartbeat_timeout);
  EXPECT_EQ(table.text("region"), own.region);
}

TEST(ScenarioSettings, FlagsWinOverTheFileAndTheFileOverDefaults) {
  const auto scenario = resolve({"--scenario=s.yaml", "--nodes=4"}, "nodes: 3\npodsPerNode: 2\n");
  ASSERT_TRUE(scenario) << scenario.error().text;
  EXPECT_EQ(scenario->nodes, 4);
  EXPECT_EQ(scenario->pods_per_node, 2);
  EXPECT_EQ(scenario->heartbeat_timeout, 300s);
}

TEST(ScenarioSettings, LoadBalancersAreCountedByFlagOrKey) {
  const auto scenario =
      resolve({"--scenario=s.yaml", "--target-groups=20"}, "classicElbs: 2\ntargetGroups: 1\n");
  ASSERT_TRUE(scenario) << scenario.error().text;
  EXPECT_EQ(scenario->target_groups, 20);
  EXPECT_EQ(scenario->classic_elbs, 2);
}

TEST(ScenarioSettings, RightsThatAreNoActionsAreRefused) {
  EXPECT_FALSE(resolve({"--aws-rights=sqs:Receive*"})->aws_rights.allow("sqs:DeleteMessage"));
  EXPECT_EQ(resolve({"--kubernetes-rights=nodes:get"})->kubernetes_rights, "nodes:get");
  EXPECT_FALSE(resolve({"--kubernetes-rights=nodes"}));
  const auto broken = resolve({"--aws-rights=everything"});
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().text.find("aws-rights"), std::string::npos) << broken.error().text;
}

TEST(ScenarioSettings, TheSeedIsFreshUnlessItIsGiven) {
  EXPECT_EQ(resolve({})->seed, 77U);
  EXPECT_EQ(resolve({"--seed=5"})->seed, 5U);
  EXPECT_EQ(resolve({"--scenario=s.yaml"}, "seed: 9\n")->seed, 9U);
}

TEST(ScenarioSettings, ABrokenFileIsNamedWithItsLine) {
  const auto broken = resolve({"--scenario=s.yaml"}, "nodes: 3\nnoodles: 4\n");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().text.find("s.yaml:2"), std::string::npos) << broken.error().text;
  EXPECT_EQ(resolve({"--scenario=none.yaml"}).error().text,
            "setting scenario: \"none.yaml\" from flag --scenario cannot be read: opening none.yaml: No such "
            "file or directory; name one that can be read");
}

}  // namespace
}  // namespace ferryman::app
