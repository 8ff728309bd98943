// SPDX-License-Identifier: Apache-2.0
#include "kube/cluster.h"

#include <gtest/gtest.h>

#include "unit/kube/kube_fixture.h"

namespace ferryman::test {

using std::chrono::seconds;
using termination::EvictionAnswer;
using termination::PodKey;

namespace {

PodKey pod_key(std::string name, std::string uid) {
  PodKey key;
  key.pod_namespace = "default";
  key.name = std::move(name);
  key.uid = Uid(std::move(uid));
  return key;
}

}  // namespace

TEST(KubeCluster, FindsTheNodeByItsInstanceId) {
  KubeFixture kube;
  kube.server.add_node("a", instance(1).str());
  EXPECT_FALSE(kube.cluster->in_sync());
  kube.start();
  EXPECT_TRUE(kube.cluster->in_sync());
  EXPECT_EQ(kube.cluster->trouble(), "");
  ASSERT_NE(kube.cluster->find_node(instance(1)), nullptr);
  EXPECT_EQ(kube.cluster->find_node(instance(1))->name, "a");
  EXPECT_EQ(kube.cluster->find_node(instance(2)), nullptr);
}

TEST(KubeCluster, APatchCarriesItsPreconditionsAndItsAnswerIsInTheCache) {
  KubeFixture kube;
  kube.server.add_node("a", instance(1).str());
  kube.start();
  kube.server.bookmarks = false;
  termination::NodePatch patch(*kube.cluster->find_node(instance(1)));
  const std::string version = patch.resource_version;
  patch.unschedulable = true;
  patch.taints = {termination::Taint("ferryman.dev/terminating", "", "NoSchedule")};
  patch.annotations["ferryman.dev/claim"] = "{}";
  patch.labels["zone"] = std::nullopt;
  const auto patched = kube.sim.run(kube.cluster->patch_node(patch, kube.soon()));
  ASSERT_TRUE(patched.ok()) << patched.error().text;
  const termination::Node* node = kube.cluster->find_node(instance(1));
  EXPECT_TRUE(node->unschedulable);
  EXPECT_EQ(node->claim, "{}");
  EXPECT_EQ(node->taints.size(), 1U);
  EXPECT_FALSE(node->labels.contains("zone"));
  ASSERT_EQ(kube.cluster->claimed_nodes().size(), 1U);
  const auto sent = kube.server.requests("PATCH", "/api/v1/nodes/a");
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].headers.get("Content-Type"), "application/merge-patch+json");
  const auto body = parse_json(sent[0].body);
  EXPECT_EQ(string_at(find(*body, "metadata"), "uid"), "uid-1");
  EXPECT_EQ(string_at(find(*body, "metadata"), "resourceVersion"), version);
}

TEST(KubeCluster, APatchOfAStaleNodeIsAConflictAndIsNotRepeated) {
  KubeFixture kube;
  kube.server.add_node("a", instance(1).str());
  kube.start();
  termination::NodePatch patch(*kube.cluster->find_node(instance(1)));
  patch.resource_version = "1";
  patch.unschedulable = true;
  const auto patched = kube.sim.run(kube.cluster->patch_node(patch, kube.soon()));
  ASSERT_FALSE(patched.ok());
  EXPECT_EQ(patched.error().fault, Fault::conflict);
  EXPECT_EQ(kube.server.requests("PATCH", "/api/v1/nodes/a").size(), 1U);
}

TEST(KubeCluster, AnEvictedPodTerminatesAndIsGoneWhenTheKubeletSaysSo) {
  KubeFixture kube;
  kube.server.add_pod("a", "web", "u1");
  kube.start();
  const auto view = kube.sim.run(kube.cluster->view_pods("a", kube.soon()));
  ASSERT_TRUE(view.ok()) << view.error().text;
  kube.pass(seconds{1});
  const auto evicted = kube.sim.run(kube.cluster->evict(pod_key("web", "u1"), seconds{5}, kube.soon()));
  ASSERT_TRUE(evicted.ok()) << evicted.error().text;
  EXPECT_EQ(evicted->answer, EvictionAnswer::accepted);
  kube.pass(seconds{1});
  ASSERT_EQ((*view)->pods().size(), 1U);
  EXPECT_TRUE((*view)->pods()[0].terminating);
  EXPECT_FALSE((*view)->gone(Uid("u1")));
  kube.server.remove("pods", "default/web");
  kube.pass(seconds{1});
  EXPECT_TRUE((*view)->gone(Uid("u1")));
  const auto sent = kube.server.requests("POST", "/api/v1/namespaces/default/pods/web/eviction");
  ASSERT_EQ(sent.size(), 1U);
  const auto body = parse_json(sent[0].body);
  EXPECT_EQ(string_at(*body, "apiVersion"), "policy/v1");
  EXPECT_EQ(string_at(find(find(*body, "deleteOptions"), "preconditions"), "uid"), "u1");
  EXPECT_EQ(integer_at(find(*body, "deleteOptions"), "gracePeriodSeconds"), 5);
}

}  // namespace ferryman::test
