// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sandbox/kube/node_objects.h"
#include "sandbox/kube/pod_objects.h"
#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

TEST(KubeWorld, ADeploymentSpreadsOverItsNodes) {
  SmallCluster cluster(3);
  cluster.world.add_deployment(DeploymentSpec("web", 6));
  for (const NodeReport& node : cluster.world.nodes()) EXPECT_EQ(node.pods, 2U) << node.name;
}

TEST(KubeWorld, AReplacementRunsElsewhereAndIsReadyInItsTime) {
  SmallCluster cluster(2);
  DeploymentSpec web("web", 2);
  web.pods.ready_after = 15s;
  cluster.world.add_deployment(web);
  (void)cluster.patch_node("node-1", R"({"spec":{"unschedulable":true}})");
  (void)cluster.evict(cluster.only_pod_of(1));
  cluster.sim.clock.advance(14s);
  ASSERT_EQ(cluster.world.pods_of(instance(2)).size(), 2U);
  EXPECT_TRUE(cluster.world.pods_of(instance(1)).empty());
  const auto ready = [&] {
    std::size_t count = 0;
    for (const PodReport& pod : cluster.world.pods()) count += pod.ready ? 1 : 0;
    return count;
  };
  EXPECT_EQ(ready(), 1U);
  cluster.sim.clock.advance(2s);
  EXPECT_EQ(ready(), 2U);
}

TEST(KubeWorld, PodsWaitWhileNoNodeTakesThem) {
  SmallCluster cluster(1);
  (void)cluster.patch_node("node-1", R"({"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}})");
  cluster.world.add_deployment(DeploymentSpec("web", 1));
  cluster.sim.clock.advance(1min);
  EXPECT_EQ(cluster.world.pods().at(0).node_name, "");
  (void)cluster.patch_node("node-1", R"({"spec":{"taints":null}})");
  cluster.sim.clock.advance(1min);
  EXPECT_EQ(cluster.world.pods().at(0).node_name, "node-1");
  EXPECT_TRUE(cluster.world.pods().at(0).ready);
}

TEST(KubeWorld, DaemonSetsFillCordonedNodesToo) {
  SmallCluster cluster(1);
  cluster.world.add_daemon_set(DaemonSetSpec("kube-system", "agent"));
  const PodReport before = cluster.only_pod_of(1);
  (void)cluster.patch_node("node-1", R"({"spec":{"unschedulable":true}})");
  (void)cluster.remove(before);
  cluster.sim.clock.advance(30s);
  EXPECT_EQ(cluster.only_pod_of(1).owner_kind, "DaemonSet");
  EXPECT_NE(cluster.only_pod_of(1).uid, before.uid);
}

TEST(KubeWorld, AStoppedNodeBecomesUnknownAfterFortySeconds) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(DeploymentSpec("web", 2));
  cluster.world.node_stopped(instance(1));
  cluster.sim.clock.advance(39s);
  EXPECT_TRUE(cluster.world.find_node(instance(1))->ready);
  cluster.sim.clock.advance(2s);
  EXPECT_FALSE(cluster.world.find_node(instance(1))->ready);
  EXPECT_FALSE(cluster.only_pod_of(1).ready);
  EXPECT_TRUE(cluster.only_pod_of(2).ready);
}

TEST(KubeWorld, ARemovedNodeTakesItsPodsAlongAndTheyAreReplaced) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(DeploymentSpec("web", 2));
  const Uid uid = cluster.only_pod_of(1).uid;
  cluster.world.remove_node(instance(1));
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes/node-1").status, 404);
  EXPECT_EQ(cluster.end_of(uid), "") << "the collector comes later";
  cluster.sim.clock.advance(41s);
  EXPECT_EQ(cluster.end_of(uid), "40s node removed");
  EXPECT_EQ(cluster.world.pods_of(instance(2)).size(), 2U);
}

TEST(KubeWorld, AKubeletWithoutItsNodeStillEndsPods) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(DeploymentSpec("web", 2));
  const PodReport pod = cluster.only_pod_of(1);
  EXPECT_EQ(cluster.call("DELETE", "/api/v1/nodes/node-1").status, 200);
  (void)cluster.remove(pod);
  cluster.sim.clock.advance(2s);
  EXPECT_EQ(cluster.end_of(pod.uid), "1s kubelet");
}

TEST(KubeWorld, PodsOfANodeThatAClientDeletedAreCollectedAfterFortySeconds) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(DeploymentSpec("web", 2));
  const Uid uid = cluster.only_pod_of(1).uid;
  (void)cluster.call("DELETE", "/api/v1/nodes/node-1");
  cluster.sim.clock.advance(41s);
  EXPECT_EQ(cluster.end_of(uid), "40s node removed");
}

TEST(KubeWorld, ANodeThatStopsAndStartsStaysTheSameNodeWithAnotherBoot) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(DeploymentSpec("web", 1));
  const json::value before = cluster.get("/api/v1/nodes/node-1");
  cluster.world.node_stopped(instance(1));
  cluster.world.node_shut_down(instance(1));
  cluster.sim.clock.advance(41s);
  const json::value off = cluster.get("/api/v1/nodes/node-1");
  EXPECT_TRUE(has_taint(off, "node.cloudprovider.kubernetes.io/shutdown", "NoSchedule"));
  EXPECT_FALSE(is_node_ready(off));
  cluster.world.node_started(instance(1), 10s);
  cluster.sim.clock.advance(11s);
  const json::value on = cluster.get("/api/v1/nodes/node-1");
  EXPECT_EQ(uid_of(before), uid_of(on));
  EXPECT_NE(text_at(before, "status.nodeInfo.bootID"), text_at(on, "status.nodeInfo.bootID"));
  EXPECT_TRUE(is_node_ready(on));
  EXPECT_EQ(value_at(on, "spec.taints"), nullptr);
  EXPECT_TRUE(cluster.only_pod_of(1).ready);
}

TEST(KubeWorld, WhatWasToEndHasEndedWhenANodeStartsAgain) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(DeploymentSpec("web", 1));
  const PodReport pod = cluster.only_pod_of(1);
  cluster.world.node_stopped(instance(1));
  (void)cluster.remove(pod);
  cluster.sim.clock.advance(60s);
  EXPECT_EQ(cluster.end_of(pod.uid), "");
  cluster.world.node_started(instance(1), 0s);
  EXPECT_EQ(cluster.end_of(pod.uid), "60s kubelet");
}

TEST(KubeWorld, ANodeThatComesBackIsAnotherNodeWithAnotherBoot) {
  SmallCluster cluster(1);
  const json::value before = cluster.get("/api/v1/nodes/node-1");
  cluster.world.remove_node(instance(1));
  cluster.world.add_node(NodeSpec("node-1", instance(1)));
  const json::value after = cluster.get("/api/v1/nodes/node-1");
  EXPECT_NE(uid_of(before), uid_of(after));
  EXPECT_NE(text_at(before, "status.nodeInfo.bootID"), text_at(after, "status.nodeInfo.bootID"));
  EXPECT_EQ(text_at(after, "spec.providerID"), "aws:///us-west-2a/" + instance(1).str());
}

TEST(KubeWorld, ANewNodeTakesPodsOnceItIsReady) {
  SmallCluster cluster(0);
  NodeSpec node("node-1", instance(1));
  node.ready_after = 20s;
  cluster.world.add_node(node);
  cluster.world.add_deployment(DeploymentSpec("web", 1));
  cluster.sim.clock.advance(19s);
  EXPECT_TRUE(cluster.world.pods_of(instance(1)).empty());
  cluster.sim.clock.advance(2s);
  EXPECT_EQ(cluster.world.pods_of(instance(1)).size(), 1U);
}

TEST(KubeWorld, TheSameSeedGivesTheSameCluster) {
  const auto story = [] {
    SmallCluster cluster(3);
    cluster.world.add_deployment(DeploymentSpec("web", 5));
    (void)cluster.evict(cluster.world.pods().at(0));
    cluster.sim.clock.advance(1min);
    return cluster.call("GET", "/api/v1/pods").body;
  };
  EXPECT_EQ(story(), story());
}

TEST(KubeWorld, TheScopeMayOutliveTheWorld) {
  test::Simulation sim;
  Random random(1);
  Journal journal(sim.clock);
  {
    KubeWorld world(sim.clock, random, sim.scope, journal);
    world.add_node(NodeSpec("node-1", instance(1)));
    world.add_deployment(DeploymentSpec("web", 1));
    sim.clock.advance(1s);
    world.remove_node(instance(1));
  }
  sim.clock.advance(1h);
  EXPECT_EQ(sim.scope.size(), 0U);
}

TEST(Workloads, TellHowManyOfTheirPodsAreReady) {
  SmallCluster cluster(2);
  DeploymentSpec spec("web", 4);
  spec.pods.ready_after = 10s;
  cluster.world.add_deployment(spec);
  cluster.world.add_daemon_set(DaemonSetSpec("kube-system", "agent"));
  cluster.sim.clock.advance(1s);
  const std::string path = "/apis/apps/v1/namespaces/default/deployments/web";
  const json::value whole = cluster.get(path);
  EXPECT_EQ(integer_at(find(whole, "status"), "readyReplicas"), 4);
  EXPECT_EQ(string_at(array_at(find(whole, "status"), "conditions")->at(0), "status"), "True");
  const json::value agents = cluster.get("/apis/apps/v1/namespaces/kube-system/daemonsets/agent");
  EXPECT_EQ(integer_at(find(agents, "status"), "numberReady"), 2);
  for (const PodReport& pod : cluster.world.pods()) {
    if (pod.pod_namespace == "default") (void)cluster.remove(pod, R"({"gracePeriodSeconds":0})");
  }
  cluster.sim.clock.advance(2s);
  const json::value hit = cluster.get(path);
  EXPECT_EQ(integer_at(find(hit, "status"), "unavailableReplicas"), 4);
  EXPECT_EQ(string_at(array_at(find(hit, "status"), "conditions")->at(0), "status"), "False");
}

}  // namespace
}  // namespace ferryman::sandbox
