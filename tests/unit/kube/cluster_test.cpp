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

/// What `evict` makes of this answer to the eviction; the pod default/web exists with UID u1.
Result<termination::Eviction> evict_with(KubeFixture& kube, net::HttpResponse response,
                                         const std::string& uid = "u1") {
  kube.server.add_pod("a", "web", "u1");
  kube.server.intercept = [response](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (request.method != "POST") return std::nullopt;
    return net::HttpReply(response);
  };
  auto answer = kube.sim.run(kube.cluster->evict(pod_key("web", uid), std::nullopt, kube.soon()));
  EXPECT_EQ(kube.server.requests("POST", "/api/v1/namespaces/default/pods/web/eviction").size(), 1U);
  return answer;
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

TEST(KubeCluster, EachNodeIsVisitedOnceByName) {
  KubeFixture kube;
  for (const char* name : {"b", "c", "a"}) kube.server.add_node(name, instance(1).str());
  kube.start();
  std::vector<std::string> names;
  kube.cluster->each_node([&](const termination::Node& node) { names.push_back(node.name); });
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(KubeCluster, AConfigMapIsReadThatIsThereAndThatIsNot) {
  KubeFixture kube;
  net::HttpResponse response(200, R"({"kind": "ConfigMap", "data": {"paused": "true", "n": 1}})");
  kube.server.intercept = [&](const net::HttpRequest& /*request*/) { return net::HttpReply(response); };
  const auto read = kube.sim.run(kube.cluster->config_map("ops", "switch", kube.soon()));
  ASSERT_TRUE(read.ok()) << read.error().text;
  ASSERT_TRUE(read->has_value());
  EXPECT_EQ(**read, (std::map<std::string, std::string>{{"paused", "true"}}));
  EXPECT_EQ(kube.server.requests("GET", "/api/v1/namespaces/ops/configmaps/switch").size(), 1U);
  response = FakeApiServer::status(404, "NotFound");
  const auto absent = kube.sim.run(kube.cluster->config_map("ops", "switch", kube.soon()));
  ASSERT_TRUE(absent.ok()) << absent.error().text;
  EXPECT_FALSE(absent->has_value());
  response = FakeApiServer::status(403, "Forbidden", "configmaps is forbidden");
  const auto denied = kube.sim.run(kube.cluster->config_map("ops", "switch", kube.soon()));
  ASSERT_FALSE(denied.ok());
  EXPECT_EQ(denied.error().fault, Fault::denied);
  EXPECT_NE(denied.error().text.find("reading ConfigMap ops/switch"), std::string::npos);
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

TEST(KubeCluster, APodThatIsNotThereOrIsAnotherIsGone) {
  KubeFixture kube;
  const auto missing = evict_with(kube, FakeApiServer::status(404, "NotFound", "pods \"web\" not found"));
  ASSERT_TRUE(missing.ok()) << missing.error().text;
  EXPECT_EQ(missing->answer, EvictionAnswer::gone);
  KubeFixture other;
  const auto conflict = FakeApiServer::status(409, "Conflict", "Precondition failed");
  const auto renamed = evict_with(other, conflict, "u0");
  ASSERT_TRUE(renamed.ok()) << renamed.error().text;
  EXPECT_EQ(renamed->answer, EvictionAnswer::gone);
}

TEST(KubeCluster, AConflictOverAPodThatIsStillThereDoesNotMakeItGone) {
  KubeFixture kube;
  const auto answer =
      evict_with(kube, FakeApiServer::status(409, "Conflict", "the object has been modified"));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault, Fault::conflict);
}

TEST(KubeCluster, DeletesWithUidAndGraceAndTakesGoneAsDone) {
  KubeFixture kube;
  kube.server.add_pod("a", "web", "u1");
  EXPECT_TRUE(kube.sim.run(kube.cluster->delete_pod(pod_key("web", "u1"), seconds{1}, kube.soon())).ok());
  const auto sent = kube.server.requests("DELETE", "/api/v1/namespaces/default/pods/web");
  ASSERT_EQ(sent.size(), 1U);
  const auto body = parse_json(sent[0].body);
  EXPECT_EQ(string_at(find(*body, "preconditions"), "uid"), "u1");
  EXPECT_EQ(integer_at(&*body, "gracePeriodSeconds"), 1);
  EXPECT_TRUE(kube.sim.run(kube.cluster->delete_pod(pod_key("web", "u0"), std::nullopt, kube.soon())).ok());
  EXPECT_TRUE(kube.sim.run(kube.cluster->delete_pod(pod_key("never", "u5"), std::nullopt, kube.soon())).ok());
  EXPECT_FALSE(kube.server.object("pods", "default/web").empty());
}

TEST(KubeCluster, NoPodIsAskedToGoByItsNameAlone) {
  KubeFixture kube;
  kube.server.add_pod("a", "web", "u1");
  const auto evicted = kube.sim.run(kube.cluster->evict(pod_key("web", ""), std::nullopt, kube.soon()));
  const auto deleted = kube.sim.run(kube.cluster->delete_pod(pod_key("web", ""), std::nullopt, kube.soon()));
  EXPECT_EQ(evicted.error().fault, Fault::invalid);
  EXPECT_EQ(deleted.error().fault, Fault::invalid);
  EXPECT_TRUE(kube.server.log.empty());
}

TEST(KubeCluster, ReadingANodeThatIsNotThereSaysSo) {
  KubeFixture kube;
  const auto missing = kube.sim.run(kube.cluster->read_node("x", kube.soon()));
  EXPECT_EQ(missing.error().fault, Fault::not_found);
  EXPECT_NE(missing.error().text.find("reading node x"), std::string::npos);
}

TEST(KubeCluster, AWriteWhoseAnswerIsNoNodeIsAnError) {
  KubeFixture kube;
  kube.server.add_node("a", instance(1).str());
  kube.start();
  kube.server.intercept = [](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (request.method != "PATCH") return std::nullopt;
    return net::HttpReply(net::HttpResponse(200, "[]"));
  };
  const termination::NodePatch patch(*kube.cluster->find_node(instance(1)));
  EXPECT_EQ(kube.sim.run(kube.cluster->patch_node(patch, kube.soon())).error().fault, Fault::unexpected);
  EXPECT_NE(kube.cluster->find_node(instance(1)), nullptr);
}

}  // namespace ferryman::test
