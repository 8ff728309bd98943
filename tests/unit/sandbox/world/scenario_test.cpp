// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sandbox/scenario.h"
#include "support/simulation.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

std::string error_of(std::string_view yaml) {
  const auto scenario = read_scenario(yaml, "world.yaml");
  return scenario ? "no error" : scenario.error().text;
}

TEST(Scenario, ReadsEveryKindOfValue) {
  const auto scenario = read_scenario(
      "nodes: 5\nheartbeatTimeout: 5m\npodGrace: 90\nminAvailable: 50%\ncheckSignatures: false\n"
      "defaultResult: ABANDON\nqueue: events\nreplacementDelay: 1h\n",
      "world.yaml");
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->nodes, 5);
  EXPECT_EQ(scenario->heartbeat_timeout, 5min);
  EXPECT_EQ(scenario->pod_grace, 90s);
  EXPECT_EQ(scenario->min_available, 50);
  EXPECT_FALSE(scenario->check_signatures);
  EXPECT_EQ(scenario->default_result, "ABANDON");
  EXPECT_EQ(scenario->queue, "events");
  EXPECT_EQ(scenario->replacement_delay, 1h);
}

TEST(Scenario, ReadsTheLoadBalancers) {
  const auto scenario =
      read_scenario("targetGroups: 20\nclassicElbs: 2\nderegistrationDelay: 2m\n", "world.yaml");
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->target_groups, 20);
  EXPECT_EQ(scenario->classic_elbs, 2);
  EXPECT_EQ(scenario->deregistration_delay, 2min);
  EXPECT_EQ(error_of("targetGroups: 3001\n"),
            "world.yaml:1: targetGroups is \"3001\"; it must be a whole number from 0 to 3000");
}

TEST(Scenario, LeavesOutKeysAtTheirDefaults) {
  Scenario defaults;
  defaults.pods_per_node = 77;
  const auto scenario = read_scenario("nodes: 2\n", "world.yaml", defaults);
  EXPECT_EQ(scenario->pods_per_node, 77);
  EXPECT_EQ(read_scenario("", "world.yaml", defaults)->pods_per_node, 77);
}

TEST(Scenario, WrongValueIsNamedWithItsLineAndWhatIsAllowed) {
  EXPECT_EQ(error_of("# a comment\nnodes: many\n"),
            "world.yaml:2: nodes is \"many\"; it must be a whole number from 0 to 10000");
  EXPECT_EQ(error_of("nodes: 3\nheartbeatTimeout: 10s\n"),
            "world.yaml:2: heartbeatTimeout is \"10s\"; it must be a duration from 30 to 7200 seconds, such "
            "as 90s, 5m or 1h");
  EXPECT_EQ(error_of("nodes: [1, 2]\n"),
            "world.yaml:1: nodes is no single value; it must be a whole number from 0 to 10000");
  EXPECT_EQ(error_of("minAvailable: 101%\n"),
            "world.yaml:1: minAvailable is \"101%\"; it must be a share from 0% to 100%");
  EXPECT_EQ(error_of("nodes: 99999999999999999999\n"),
            "world.yaml:1: nodes is \"99999999999999999999\"; it must be a whole number from 0 to 10000");
}

TEST(Scenario, UnknownKeyIsAnError) {
  const std::string error = error_of("nodes: 3\nnode: 4\n");
  EXPECT_TRUE(error.starts_with("world.yaml:2: \"node\" is no key; the keys are cluster, nodes, ")) << error;
}

TEST(Scenario, TextThatIsNoMapIsAnError) {
  EXPECT_TRUE(error_of("- nodes\n").starts_with("world.yaml: it must be a map"));
  EXPECT_TRUE(error_of("nodes: [3\n").starts_with("world.yaml:2: not YAML")) << error_of("nodes: [3\n");
}

TEST(Scenario, WithoutNotificationsAHookWaitsAndNobodyIsTold) {
  ferryman::test::Simulation sim;
  const auto scenario = read_scenario("nodes: 1\nnotifications: false\n", "world.yaml");
  ASSERT_TRUE(scenario);
  World world(sim.clock, sim.scope, world_settings(*scenario));
  populate(world, *scenario);
  const InstanceId id = world.kubernetes().nodes().at(0).instance_id;
  ASSERT_TRUE(world.aws().groups().terminate_in_group(id, true));
  sim.clock.advance(2s);
  EXPECT_EQ(world.aws().groups().actions().waits(id).size(), 1U);
  EXPECT_EQ(world.aws().queues().find("ferryman")->counts().visible, 0U);
}

TEST(Scenario, RightsOfAwsCallersAreAListOfActions) {
  const auto scenario =
      read_scenario("awsRights: sqs:*, ec2:DescribeInstances\nstateChanges: true\n", "w.yaml");
  ASSERT_TRUE(scenario) << scenario.error().text;
  EXPECT_TRUE(scenario->aws_rights.allow("sqs:ReceiveMessage"));
  EXPECT_FALSE(scenario->aws_rights.allow("ec2:TerminateInstances"));
  EXPECT_TRUE(scenario->state_changes);
  EXPECT_FALSE(read_scenario("awsRights: sqs\n", "w.yaml"));
}

TEST(Scenario, RightsOfTheKubernetesTokenAreAListOfResourcesAndVerbs) {
  test::Simulation sim;
  const auto scenario =
      read_scenario("nodes: 1\nkubernetesRights: nodes:get,list pods/eviction:create\n", "w.yaml");
  ASSERT_TRUE(scenario) << scenario.error().text;
  World world(sim.clock, sim.scope, world_settings(*scenario));
  const auto status = [&](const std::string& path) {
    net::HttpRequest request("GET", "https://kubernetes.test" + path);
    request.headers.set("Authorization", "Bearer " + world.token().reveal());
    return sim.run(world.kubernetes_endpoint().handle(std::move(request))).response.status;
  };
  EXPECT_EQ(status("/api/v1/nodes"), 200);
  EXPECT_EQ(status("/api/v1/pods"), 403);
  const auto refused = read_scenario("kubernetesRights: nodes\n", "w.yaml");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("write resource:verb,verb"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::sandbox
