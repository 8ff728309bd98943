// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

/// One pod on the one node.
SmallCluster& with_pod(SmallCluster& cluster, std::chrono::seconds grace, Duration end_time) {
  PodSpec pod;
  pod.name = "web";
  pod.behaviour.grace = grace;
  pod.behaviour.end_time = end_time;
  cluster.world.add_pod(pod);
  return cluster;
}

TEST(Kubelets, ADeletedPodIsGoneWhenItsContainersHaveEnded) {
  SmallCluster cluster(1);
  const Uid uid = with_pod(cluster, 30s, 8s).only_pod_of(1).uid;
  EXPECT_EQ(cluster.remove(cluster.only_pod_of(1)).status, 200);
  EXPECT_TRUE(cluster.only_pod_of(1).terminating);
  cluster.sim.clock.advance(60s);
  EXPECT_EQ(cluster.end_of(uid), "8s kubelet");
}

TEST(Kubelets, APodThatOutlivesItsGraceIsKilled) {
  SmallCluster cluster(1);
  const Uid uid = with_pod(cluster, 30s, 1h).only_pod_of(1).uid;
  (void)cluster.remove(cluster.only_pod_of(1));
  cluster.sim.clock.advance(60s);
  EXPECT_EQ(cluster.end_of(uid), "30s killed at grace");
}

TEST(Kubelets, AShorterGraceCutsAndALongerOneChangesNothing) {
  SmallCluster cluster(1);
  const Uid uid = with_pod(cluster, 300s, 1h).only_pod_of(1).uid;
  (void)cluster.remove(cluster.only_pod_of(1));
  cluster.sim.clock.advance(10s);
  (void)cluster.remove(cluster.only_pod_of(1), R"({"gracePeriodSeconds":1})");
  (void)cluster.remove(cluster.only_pod_of(1), R"({"gracePeriodSeconds":600})");
  cluster.sim.clock.advance(60s);
  EXPECT_EQ(cluster.end_of(uid), "11s killed at grace");
}

TEST(Kubelets, GraceZeroRemovesThePodWithoutTheKubelet) {
  SmallCluster cluster(1);
  const Uid uid = with_pod(cluster, 30s, 8s).only_pod_of(1).uid;
  cluster.world.node_stopped(instance(1));
  (void)cluster.remove(cluster.only_pod_of(1), R"({"gracePeriodSeconds":0})");
  EXPECT_EQ(cluster.end_of(uid), "0s forced");
}

TEST(Kubelets, AStoppedKubeletNeverConfirms) {
  SmallCluster cluster(1);
  const Uid uid = with_pod(cluster, 30s, 8s).only_pod_of(1).uid;
  (void)cluster.remove(cluster.only_pod_of(1));
  cluster.sim.clock.advance(5s);
  cluster.world.node_stopped(instance(1));
  cluster.sim.clock.advance(1h);
  EXPECT_EQ(cluster.end_of(uid), "");
  cluster.world.remove_node(instance(1));
  cluster.sim.clock.advance(40s);
  EXPECT_EQ(cluster.end_of(uid), "3645s node removed");
}

TEST(Kubelets, AMirrorPodComesBackWithAnotherUid) {
  SmallCluster cluster(1);
  PodSpec proxy;
  proxy.pod_namespace = "kube-system";
  proxy.name = "proxy";
  proxy.node_name = "node-1";
  cluster.world.add_mirror_pod(proxy);
  const PodReport before = cluster.only_pod_of(1);
  EXPECT_EQ(before.owner_kind, "Node");
  (void)cluster.remove(before, R"({"gracePeriodSeconds":0})");
  cluster.sim.clock.advance(10s);
  EXPECT_EQ(cluster.only_pod_of(1).name, before.name);
  EXPECT_NE(cluster.only_pod_of(1).uid, before.uid);
}

}  // namespace
}  // namespace ferryman::sandbox
