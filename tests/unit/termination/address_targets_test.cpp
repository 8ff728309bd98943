// SPDX-License-Identifier: Apache-2.0
// Target groups of type "ip": pods and nodes are registered by their addresses.
#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;
using test::FakeBalancers;
using test::FakePod;
using test::instance;
using test::node_name;

constexpr const char* address = "10.0.7.1";
constexpr const char* nodes_own = "10.0.1.23";

/// A group of addresses with one pod of node 1 in it.
class AddressWorld : public EngineWorld {
 public:
  AddressWorld() {
    balancers.add_group("pods", BalancerType::application, 30s);
    balancers.set_facts("pods", [](TargetGroup& one) { one.target_type = "ip"; });
  }
  static std::string pods() { return FakeBalancers::arn("pods"); }
  void bind() { cluster.bindings.emplace_back("default", pods()); }
  void register_address(const std::string& which) { balancers.put(pods(), InstanceId(which), 8080); }
  void end() {
    const Event event = ending_node(1);
    cluster.edit_node(node_name(1), [](Node& node) { node.addresses = {nodes_own}; });
    FakePod pod = FakePod("shop-1", node_name(1)).ends_after(20s);
    pod.pod.addresses = {address};
    pod.pod.key.pod_namespace = "default";
    cluster.add_pod(std::move(pod));
    send("m", event);
  }
  /// As the controller does when the pod goes.
  void controller_lets_go() {
    std::vector<Target> targets{Target(InstanceId(address), 8080)};
    ASSERT_TRUE(sim.run(balancers.deregister(pods(), std::move(targets), within(5s))));
  }
};

TEST(AddressTargets, ThoseOfABindingAreWaitedForAndNeverDeregistered) {
  AddressWorld world;
  world.bind();
  world.register_address(address);
  world.start();
  world.end();
  world.run_for(60s);
  EXPECT_TRUE(world.cloud.completions.empty());
  EXPECT_EQ(world.script.count("balancers.deregister"), 0U);
  world.controller_lets_go();
  world.run_for(20s);
  EXPECT_TRUE(world.cloud.completions.empty());  // it drains
  world.run_for(60s);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.script.count("balancers.deregister"), 1U);  // the controller's
}

TEST(AddressTargets, ThoseOfAnotherNamespacesBindingAreNotRead) {
  AddressWorld world;
  world.cluster.bindings.emplace_back("elsewhere", AddressWorld::pods());
  world.register_address(address);
  world.start();
  world.end();
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.script.count("balancers.health"), 0U);
}

TEST(AddressTargets, WithoutBindingAndSwitchTheGroupIsNeverDescribedForTargets) {
  AddressWorld world;
  world.register_address(nodes_own);
  world.start();
  world.end();
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.script.count("balancers.health"), 0U);
  EXPECT_TRUE(world.balancers.holds(AddressWorld::pods(), InstanceId(nodes_own)));
}

TEST(AddressTargets, TheSwitchTakesOutWhatNobodyKeepsAndNotesTheNodesOwn) {
  AddressWorld world;
  world.policy.deregister_ip_targets = true;
  world.register_address(nodes_own);
  world.register_address(address);
  world.register_address("10.0.9.9");
  world.start();
  world.end();
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_FALSE(world.balancers.holds(AddressWorld::pods(), InstanceId(nodes_own)));
  EXPECT_FALSE(world.balancers.holds(AddressWorld::pods(), InstanceId(address)));
  EXPECT_TRUE(world.balancers.holds(AddressWorld::pods(), InstanceId("10.0.9.9")));
  const Claim claim = world.claim_of(1);
  ASSERT_EQ(claim.deregistered.size(), 1U);
  EXPECT_EQ(claim.deregistered[0].address, nodes_own);
}

}  // namespace
}  // namespace ferryman::termination
