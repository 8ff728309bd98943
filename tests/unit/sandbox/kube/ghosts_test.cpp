// SPDX-License-Identifier: Apache-2.0
// What happens behind a drain's back: silent kubelets, taints that end pods, volumes that stay attached,
// namespaces that end, daemon sets that fill their nodes again.
#include <gtest/gtest.h>

#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr const char* out_of_service =
    R"({"spec":{"taints":[{"key":"node.kubernetes.io/out-of-service","value":"nodeshutdown","effect":"NoExecute"}]}})";
constexpr const char* no_execute = R"({"spec":{"taints":[{"key":"gone","effect":"NoExecute"}]}})";

std::string ready_of(SmallCluster& cluster) {
  const json::value node = cluster.get("/api/v1/nodes/node-1");
  for (const json::value& one : *array_at(find(node, "status"), "conditions")) {
    if (string_at(one, "type") == "Ready") return std::string(string_at(one, "status"));
  }
  return {};
}

TEST(SilentKubelet, ItsNodeBecomesUnknownAndItsPodsStayTerminating) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(DeploymentSpec("web", 1));
  const PodReport pod = cluster.only_pod_of(1);
  cluster.world.node_stopped(instance(1));
  EXPECT_EQ(ready_of(cluster), "True");
  cluster.sim.clock.advance(41s);
  EXPECT_EQ(ready_of(cluster), "Unknown");
  EXPECT_EQ(cluster.evict(pod).status, 201);
  cluster.sim.clock.advance(10min);
  EXPECT_EQ(cluster.end_of(pod.uid), "");
}

TEST(SilentKubelet, ItsPodsAreDeletedAfterFiveMinutesAsEveryPodTolerates) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(DeploymentSpec("web", 1));
  cluster.world.node_stopped(instance(1));
  cluster.sim.clock.advance(335s);
  EXPECT_FALSE(cluster.only_pod_of(1).terminating);
  cluster.sim.clock.advance(10s);
  EXPECT_TRUE(cluster.only_pod_of(1).terminating);
}

TEST(SilentKubelet, OutOfServiceMakesTheCollectorForceItsPods) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(DeploymentSpec("web", 1));
  const PodReport pod = cluster.only_pod_of(1);
  cluster.world.node_stopped(instance(1));
  cluster.sim.clock.advance(41s);
  (void)cluster.patch_node("node-1", out_of_service);
  cluster.sim.clock.advance(25s);
  EXPECT_NE(cluster.end_of(pod.uid).find("out of service"), std::string::npos) << cluster.end_of(pod.uid);
}

TEST(Taints, NoExecuteEndsPodsPastTheirBudgetButNotThoseThatTolerateIt) {
  SmallCluster cluster(1);
  DeploymentSpec web("web", 1);
  web.min_available = 1;
  cluster.world.add_deployment(web);
  cluster.world.add_daemon_set(DaemonSetSpec("kube-system", "agent"));
  (void)cluster.patch_node("node-1", no_execute);
  cluster.sim.clock.advance(200ms);
  for (const PodReport& pod : cluster.world.pods_of(instance(1))) {
    EXPECT_EQ(pod.terminating, pod.owner_kind == "ReplicaSet") << pod.name;
  }
}

TEST(Taints, NoScheduleEndsNothing) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(DeploymentSpec("web", 1));
  (void)cluster.patch_node("node-1", R"({"spec":{"taints":[{"key":"gone","effect":"NoSchedule"}]}})");
  cluster.sim.clock.advance(1min);
  EXPECT_FALSE(cluster.only_pod_of(1).terminating);
}

class Attached : public ::testing::Test {
 protected:
  Attached() {
    VolumeSpec volume("data", "node-1");
    volume.detach = 7s;
    cluster.world.add_volume(volume);
    PodSpec spec;
    spec.name = "db";
    spec.node_name = "node-1";
    spec.behaviour.claims = {"data"};
    spec.behaviour.end_time = 2s;
    cluster.world.add_pod(spec);
  }
  std::size_t attachments() {
    return names_of(cluster.get("/apis/storage.k8s.io/v1/volumeattachments")).size();
  }
  SmallCluster cluster{2};
};

TEST_F(Attached, AVolumeIsLetGoAWhileAfterItsLastPod) {
  EXPECT_EQ(cluster.evict(cluster.only_pod_of(1)).status, 201);
  cluster.sim.clock.advance(8s);
  EXPECT_EQ(attachments(), 1U);
  cluster.sim.clock.advance(2s);
  EXPECT_EQ(attachments(), 0U);
}

TEST_F(Attached, TheChainFromAPodToItsAttachmentCanBeRead) {
  const json::value pod = cluster.get("/api/v1/namespaces/default/pods/db");
  const json::value& volume = array_at(find(pod, "spec"), "volumes")->at(0);
  EXPECT_EQ(text_at(volume, "persistentVolumeClaim.claimName"), "data");
  const json::value claim = cluster.get("/api/v1/namespaces/default/persistentvolumeclaims/data");
  const json::value attachment = cluster.get("/apis/storage.k8s.io/v1/volumeattachments/csi-pv-data");
  EXPECT_EQ(text_at(claim, "spec.volumeName"), text_at(attachment, "spec.source.persistentVolumeName"));
  EXPECT_EQ(text_at(attachment, "spec.nodeName"), "node-1");
}

TEST_F(Attached, WithoutAKubeletItIsLetGoSixMinutesLaterOrOnceOutOfService) {
  cluster.world.node_stopped(instance(1));
  (void)cluster.remove(cluster.only_pod_of(1), R"({"gracePeriodSeconds":0})");
  cluster.sim.clock.advance(5min);
  EXPECT_EQ(attachments(), 1U);
  (void)cluster.patch_node("node-1", out_of_service);
  cluster.sim.clock.advance(8s);
  EXPECT_EQ(attachments(), 0U);
}

TEST(TerminatingNamespace, RefusesEvictionsAndNewThingsAndTakesItsPodsAlong) {
  SmallCluster cluster(1);
  PodSpec spec;
  spec.pod_namespace = "shop";
  spec.name = "web";
  cluster.world.add_pod(spec);
  const PodReport pod = cluster.only_pod_of(1);
  cluster.world.end_namespace("shop", 20s);
  EXPECT_EQ(text_at(cluster.get("/api/v1/namespaces/shop"), "status.phase"), "Terminating");
  const auto refused = cluster.evict(pod);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(text_at(SmallCluster::body(refused), "message"),
            "pods \"web\" is forbidden: unable to create new content in namespace shop because it is being "
            "terminated");
  EXPECT_EQ(cluster.call("POST", "/api/v1/namespaces/shop/configmaps", R"({"metadata":{"name":"a"}})").status,
            403);
  cluster.sim.clock.advance(22s);
  EXPECT_EQ(cluster.end_of(pod.uid), "21s kubelet");
  EXPECT_EQ(cluster.call("GET", "/api/v1/namespaces/shop").status, 404);
}

TEST(TerminatingNamespace, DeletedByAClientItWaitsForItsPods) {
  SmallCluster cluster(1);
  PodSpec spec;
  spec.pod_namespace = "shop";
  spec.name = "web";
  spec.behaviour.end_time = 10s;
  cluster.world.add_pod(spec);
  EXPECT_EQ(text_at(SmallCluster::body(cluster.call("DELETE", "/api/v1/namespaces/shop")), "status.phase"),
            "Terminating");
  cluster.sim.clock.advance(5s);
  EXPECT_TRUE(cluster.only_pod_of(1).terminating);
  cluster.sim.clock.advance(7s);
  EXPECT_EQ(cluster.call("GET", "/api/v1/namespaces/shop").status, 404);
}

TEST(DaemonSets, AreListedAndFillACordonedNodeAgain) {
  SmallCluster cluster(1);
  cluster.world.add_daemon_set(DaemonSetSpec("kube-system", "agent"));
  EXPECT_EQ(names_of(cluster.get("/apis/apps/v1/daemonsets")), std::vector<std::string>{"agent"});
  (void)cluster.patch_node("node-1", R"({"spec":{"unschedulable":true}})");
  const PodReport pod = cluster.only_pod_of(1);
  (void)cluster.remove(pod);
  cluster.sim.clock.advance(2s);
  EXPECT_NE(cluster.only_pod_of(1).uid, pod.uid);
}

TEST(Deployments, PodsCarryTheirLabelsAndPriorityClass) {
  SmallCluster cluster(1);
  cluster.world.add_priority_class("high", 1000);
  DeploymentSpec web("web", 1);
  web.labels = {{"ferryman.dev/drain-wave", "2"}};
  web.pods.priority_class = "high";
  web.pods.priority = 1000;
  cluster.world.add_deployment(web);
  const json::value pod = cluster.get("/api/v1/namespaces/default/pods/" + cluster.only_pod_of(1).name);
  EXPECT_EQ(text_at(pod, "spec.priorityClassName"), "high");
  EXPECT_EQ(integer_at(find(pod, "spec"), "priority"), 1000);
  EXPECT_EQ(string_at(value_at(pod, "metadata.labels"), "ferryman.dev/drain-wave"), "2");
}

}  // namespace
}  // namespace ferryman::sandbox
