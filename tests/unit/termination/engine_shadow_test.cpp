// SPDX-License-Identifier: Apache-2.0
// The whole product over the ports that write nothing.
#include <gtest/gtest.h>

#include <optional>

#include "termination/shadow/shadow_ports.h"
#include "unit/termination/balanced_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::instance;
using test::node_name;

class ShadowedWorld : public test::BalancedWorld {
 public:
  ~ShadowedWorld() { stop(); }
  ShadowedWorld() = default;
  ShadowedWorld(const ShadowedWorld&) = delete;
  ShadowedWorld& operator=(const ShadowedWorld&) = delete;

  void start() {
    policy.shadow = true;
    shadow.emplace(sim.clock, sim.log, Ports(queue, cloud, balancers, cluster, notices));
    engine = std::make_unique<Engine>(sim.clock, random, sim.log, policy, shadow->ports());
    engine->start();
  }
  /// The writing operations that any port was asked for.
  [[nodiscard]] std::vector<std::string> writes() const {
    std::vector<std::string> made;
    for (const char* operation :
         {"queue.remove", "queue.set_visibility", "cloud.heartbeat", "cloud.complete", "balancers.deregister",
          "balancers.register", "balancers.classic_deregister", "balancers.classic_register",
          "cluster.patch_node", "cluster.evict", "cluster.delete_pod"}) {
      if (script.count(operation) != 0) made.emplace_back(operation);
    }
    return made;
  }
  [[nodiscard]] std::size_t would(const std::string& call) const {
    return sim.logs.with("shadow.would call=" + call).size();
  }

  std::optional<shadow::ShadowPorts> shadow;
};

const std::vector<std::string> nothing;

TEST(EngineShadow, ATerminationGoesThroughItsStepsAndNothingIsWritten) {
  ShadowedWorld world;
  world.start();
  world.end(1);
  world.run_for(5min);
  EXPECT_EQ(world.writes(), nothing);
  EXPECT_EQ(world.ended(TerminationResult::completed), 1U);
  EXPECT_EQ(world.engine->failures(), 0U);
  EXPECT_EQ(world.engine->metrics().pods_evicted.value(), 2U);
  EXPECT_EQ(world.engine->metrics().targets_deregistered.value(), 3U);
  EXPECT_EQ(world.would("\"evict pod\""), 2U);
  EXPECT_EQ(world.would("DeregisterTargets"), 2U);
  EXPECT_EQ(world.would("DeregisterInstancesFromLoadBalancer"), 1U);
  EXPECT_EQ(world.would("CompleteLifecycleAction"), 1U);
  EXPECT_GE(world.would("\"patch node\""), 2U) << "the claim is closed at the end";
  EXPECT_GE(world.would("DeleteMessageBatch"), 1U);
}

TEST(EngineShadow, TheWorldIsAsItWas) {
  ShadowedWorld world;
  world.start();
  world.end(1);
  world.run_for(5min);
  EXPECT_TRUE(world.queue.holds("m1"));
  EXPECT_TRUE(world.held(1));
  EXPECT_EQ(world.cluster.pods_on(node_name(1)).size(), 2U);
  EXPECT_FALSE(world.cluster.node(node_name(1)).unschedulable);
  EXPECT_EQ(world.cluster.node(node_name(1)).claim, "");
  EXPECT_TRUE(world.cloud.completions.empty());
}

TEST(EngineShadow, AFinishedTerminationIsNotBegunAgain) {
  ShadowedWorld world;
  world.start();
  world.end(1);
  world.end(2);
  world.run_for(30min);
  EXPECT_EQ(world.engine->metrics().terminations_started.value(), 2U);
  EXPECT_EQ(world.would("CompleteLifecycleAction"), 2U);
  EXPECT_EQ(world.writes(), nothing);
}

TEST(EngineShadow, AnotherClustersMessageStaysWhereItIs) {
  ShadowedWorld world;
  world.start();
  world.send("foreign", test::terminate_event(9));
  world.run_for(10min);
  EXPECT_TRUE(world.queue.visible("foreign"));
  EXPECT_EQ(world.engine->metrics().terminations_started.value(), 0U);
  EXPECT_EQ(world.writes(), nothing);
}

}  // namespace
}  // namespace ferryman::termination
