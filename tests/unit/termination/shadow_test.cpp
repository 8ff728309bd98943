// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "termination/ports/marks.h"
#include "termination/shadow/shadow_ports.h"
#include "unit/termination/world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::instance;
using test::node_name;

class ShadowWorld : public test::World {
 public:
  [[nodiscard]] std::vector<Message> receive(std::chrono::seconds wait = 1s) {
    return *sim.run(ports.queue.receive(10, wait, 20s, within(1min)));
  }
  void add_node(int n) { cluster.add_node(test::node_of(n)); }
  Result<Node> cordon(const Node& node) {
    NodePatch patch(node);
    patch.unschedulable = true;
    patch.taints = node.taints;
    patch.taints->emplace_back(std::string(marks::taint_key), "", "NoSchedule");
    patch.labels[std::string(marks::exclude_label)] = "ferryman";
    patch.annotations[std::string(marks::claim_annotation)] = "claim";
    return sim.run(ports.cluster.patch_node(patch, within(10s)));
  }
  [[nodiscard]] bool wrote(const std::string& operation) const { return script.count(operation) != 0; }

  shadow::ShadowPorts shadow{sim.clock, sim.log, Ports(queue, cloud, balancers, cluster, notices)};
  Ports ports = shadow.ports();
};

TEST(ShadowQueue, HidesNothingFromOthersAndLooksLikeAQueue) {
  ShadowWorld world;
  world.queue.send("m", "body");
  const auto first = world.receive();
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(world.queue.visible("m")) << "the queue's other readers see it";
  EXPECT_TRUE(world.receive().empty()) << "a queue would hide it for 20 s";
  world.sim.clock.advance(20s);
  const auto again = world.receive();
  ASSERT_EQ(again.size(), 1U);
  const auto removed = world.sim.run(world.ports.queue.remove({again[0].receipt_handle}, world.within(5s)));
  ASSERT_EQ(removed.size(), 1U);
  EXPECT_TRUE(removed[0].ok());
  world.sim.clock.advance(10min);
  EXPECT_TRUE(world.receive().empty()) << "a queue would have deleted it";
  EXPECT_TRUE(world.queue.holds("m"));
  EXPECT_FALSE(world.wrote("queue.remove"));
}

TEST(ShadowQueue, WhatIsGivenBackComesAgainAtItsTime) {
  ShadowWorld world;
  world.queue.send("m", "body");
  const auto first = world.receive();
  const std::vector<Hiding> now{Hiding(first.at(0).receipt_handle, 0s)};
  EXPECT_TRUE(world.sim.run(world.ports.queue.set_visibility(now, world.within(5s))).at(0).ok());
  const auto second = world.receive();
  ASSERT_EQ(second.size(), 1U);
  const std::vector<Hiding> later{Hiding(second[0].receipt_handle, 60s)};
  (void)world.sim.run(world.ports.queue.set_visibility(later, world.within(5s)));
  world.sim.clock.advance(50s);
  EXPECT_TRUE(world.receive().empty());
  world.sim.clock.advance(10s);
  EXPECT_EQ(world.receive().size(), 1U);
  EXPECT_FALSE(world.wrote("queue.set_visibility"));
}

TEST(ShadowQueue, AMessageThatStaysIsNotReceivedAllTheTime) {
  ShadowWorld world;
  world.queue.send("m", "body");
  (void)world.receive();
  EXPECT_TRUE(world.receive(20s).empty());
  EXPECT_LE(world.queue.receives("m"), 12) << "each receive counts towards a redrive policy";
}

TEST(ShadowCloud, ACompletionIsLoggedAndTheInstanceSeemsToGoOn) {
  ShadowWorld world;
  const LifecycleAction action = *test::terminate_event(1).action;
  world.cloud.add_hook(test::group, test::drain_hook, 5min);
  world.cloud.wait_for(action);
  EXPECT_TRUE(world.sim.run(world.ports.cloud.heartbeat(action, world.within(5s))).ok());
  EXPECT_TRUE(
      world.sim.run(world.ports.cloud.complete(action, CompletionResult::proceed, world.within(5s))).ok());
  EXPECT_FALSE(world.wrote("cloud.heartbeat"));
  EXPECT_FALSE(world.wrote("cloud.complete"));
  EXPECT_TRUE(world.cloud.waits(action));
  EXPECT_EQ(world.sim.logs.with("shadow.would call=CompleteLifecycleAction").size(), 1U);
  const auto state = [&] {
    return world.sim.run(world.ports.cloud.group_members({instance(1)}, world.within(5s)))
        ->at(0)
        .lifecycle_state;
  };
  EXPECT_EQ(state(), "Terminating:Proceed");
  world.cloud.set_state(instance(1), "InService");
  EXPECT_EQ(state(), "InService");
  world.cloud.set_state(instance(1), "Terminating:Wait");
  EXPECT_EQ(state(), "Terminating:Wait") << "another end of the same instance";
}

TEST(ShadowBalancers, WhatLeftIsShownAsNotRegisteredUntilItIsPutBack) {
  ShadowWorld world;
  const std::string web = test::FakeBalancers::arn("web");
  world.balancers.add_group("web", BalancerType::application, 30s);
  for (const int n : {1, 2}) world.balancers.put(web, instance(n), 80);
  const std::vector<Target> one{Target(instance(1), 80)};
  const auto health = [&](std::vector<Target> targets) {
    return *world.sim.run(world.ports.balancers.target_health(web, std::move(targets), world.within(5s)));
  };
  EXPECT_TRUE(world.sim.run(world.ports.balancers.deregister(web, one, world.within(5s))).ok());
  EXPECT_EQ(health(one).at(0).reason, "Target.NotRegistered");
  EXPECT_EQ(health({}).size(), 1U);
  EXPECT_TRUE(world.balancers.holds(web, instance(1)));
  EXPECT_TRUE(world.sim.run(world.ports.balancers.register_again(web, one, world.within(5s))).ok());
  EXPECT_EQ(health(one).at(0).state, "healthy");
  EXPECT_EQ(health({}).size(), 2U);
  EXPECT_FALSE(world.wrote("balancers.deregister"));
  EXPECT_FALSE(world.wrote("balancers.register"));
}

TEST(ShadowBalancers, ClassicOnesToo) {
  ShadowWorld world;
  world.balancers.add_classic("old", 10s);
  world.balancers.put("old", instance(1));
  const std::vector<InstanceId> one{instance(1)};
  EXPECT_TRUE(world.sim.run(world.ports.balancers.classic_deregister("old", one, world.within(5s))).ok());
  const auto health = world.sim.run(world.ports.balancers.classic_health("old", one, world.within(5s)));
  EXPECT_EQ(health->at(0).state, "OutOfService");
  EXPECT_TRUE(
      world.sim.run(world.ports.balancers.classic_balancers(world.within(5s)))->at(0).instances.empty());
  EXPECT_TRUE(world.sim.run(world.ports.balancers.classic_register("old", one, world.within(5s))).ok());
  EXPECT_EQ(world.sim.run(world.ports.balancers.classic_balancers(world.within(5s)))->at(0).instances, one);
  EXPECT_FALSE(world.wrote("balancers.classic_deregister"));
}

TEST(ShadowCluster, APatchedNodeLooksPatchedEverywhere) {
  ShadowWorld world;
  world.add_node(1);
  const auto patched = world.cordon(*world.ports.cluster.find_node(instance(1)));
  ASSERT_TRUE(patched.ok()) << patched.error().text;
  const Node* found = world.ports.cluster.find_node(instance(1));
  const Node read = *world.sim.run(world.ports.cluster.read_node(node_name(1), world.within(5s)));
  const std::vector<Node> claimed = world.ports.cluster.claimed_nodes();
  ASSERT_EQ(claimed.size(), 1U);
  for (const Node& node : {*patched, *found, read, claimed[0]}) {
    EXPECT_TRUE(node.unschedulable);
    EXPECT_EQ(node.taints.size(), 1U);
    EXPECT_TRUE(node.labels.contains(std::string(marks::exclude_label)));
    EXPECT_EQ(node.claim, "claim");
  }
  EXPECT_FALSE(world.cluster.node(node_name(1)).unschedulable);
  EXPECT_FALSE(world.wrote("cluster.patch_node"));
  EXPECT_EQ(world.sim.logs.with("shadow.would call=\"patch node\" node=" + node_name(1)).size(), 1U);
}

TEST(ShadowCluster, OthersChangesShowThroughAndPreconditionsHold) {
  ShadowWorld world;
  world.add_node(1);
  const Node before = *world.ports.cluster.find_node(instance(1));
  ASSERT_TRUE(world.cordon(before).ok());
  world.cluster.edit_node(node_name(1), [](Node& node) {
    node.labels["zone"] = "b";
    node.taints.emplace_back("other", "", "NoExecute");
  });
  const auto stale = world.cordon(before);
  ASSERT_FALSE(stale.ok());
  EXPECT_EQ(stale.error().fault, Fault::conflict);
  const Node* shown = world.ports.cluster.find_node(instance(1));
  EXPECT_EQ(shown->labels.at("zone"), "b");
  EXPECT_EQ(shown->taints.size(), 2U);
  EXPECT_TRUE(shown->unschedulable);
  NodePatch undo(*shown);
  undo.unschedulable = false;
  undo.taints = std::vector<Taint>{Taint("other", "", "NoExecute")};
  undo.labels[std::string(marks::exclude_label)] = std::nullopt;
  undo.annotations[std::string(marks::claim_annotation)] = std::nullopt;
  const Node undone = *world.sim.run(world.ports.cluster.patch_node(undo, world.within(5s)));
  EXPECT_FALSE(undone.unschedulable);
  EXPECT_EQ(undone.taints.size(), 1U);
  EXPECT_FALSE(undone.labels.contains(std::string(marks::exclude_label)));
  EXPECT_TRUE(world.ports.cluster.claimed_nodes().empty());
}

TEST(ShadowCluster, AnotherNodeOfTheNameIsShownAsItIs) {
  ShadowWorld world;
  world.add_node(1);
  ASSERT_TRUE(world.cordon(*world.ports.cluster.find_node(instance(1))).ok());
  world.cluster.remove_node(node_name(1));
  Node again = test::node_of(1);
  again.uid = Uid("another");
  world.cluster.add_node(again);
  EXPECT_FALSE(world.ports.cluster.find_node(instance(1))->unschedulable);
  EXPECT_TRUE(world.ports.cluster.claimed_nodes().empty());
}

TEST(ShadowCluster, ADeletedNodeIsShownNoMoreAndLivesOn) {
  ShadowWorld world;
  world.add_node(1);
  Node node = *world.ports.cluster.find_node(instance(1));
  Node stale = node;
  stale.resource_version = "1";
  EXPECT_EQ(world.sim.run(world.ports.cluster.delete_node(stale, world.within(5s))).error().fault,
            Fault::conflict);
  ASSERT_TRUE(world.sim.run(world.ports.cluster.delete_node(node, world.within(5s))).ok());
  EXPECT_EQ(world.ports.cluster.find_node(instance(1)), nullptr);
  EXPECT_EQ(world.sim.run(world.ports.cluster.read_node(node.name, world.within(5s))).error().fault,
            Fault::not_found);
  EXPECT_TRUE(world.sim.run(world.ports.cluster.delete_node(node, world.within(5s))).ok());
  EXPECT_TRUE(world.cluster.has_node(node_name(1)));
  EXPECT_FALSE(world.wrote("cluster.delete_node"));
  EXPECT_EQ(world.sim.logs.with("shadow.would call=\"delete node\"").size(), 1U);
}

TEST(ShadowCluster, AnEvictedPodIsGoneFromItsViewAndLivesOn) {
  ShadowWorld world;
  world.add_node(1);
  for (const char* name : {"a", "b", "c"}) world.cluster.add_pod(test::FakePod(name, node_name(1)));
  const auto view = *world.sim.run(world.ports.cluster.view_pods(node_name(1), world.within(5s)));
  ASSERT_EQ(view->pods().size(), 3U);
  const PodKey evicted = view->pods()[0].key;
  const PodKey deleted = view->pods()[1].key;
  EXPECT_EQ(world.sim.run(world.ports.cluster.evict(evicted, std::nullopt, world.within(5s)))->answer,
            EvictionAnswer::accepted);
  EXPECT_TRUE(world.sim.run(world.ports.cluster.delete_pod(deleted, 1s, world.within(5s))).ok());
  EXPECT_TRUE(view->gone(evicted.uid));
  EXPECT_TRUE(view->gone(deleted.uid));
  ASSERT_TRUE(world.sim.run(view->refresh(world.within(5s))).ok());
  ASSERT_EQ(view->pods().size(), 1U);
  EXPECT_EQ(view->pods()[0].key.name, "c");
  world.cluster.add_pod(test::FakePod("d", node_name(1)));
  EXPECT_EQ(view->pods().size(), 2U) << "what comes later is seen";
  EXPECT_EQ(world.cluster.pods_on(node_name(1)).size(), 4U);
  EXPECT_FALSE(world.wrote("cluster.evict"));
  EXPECT_FALSE(world.wrote("cluster.delete_pod"));
}

}  // namespace
}  // namespace ferryman::termination
