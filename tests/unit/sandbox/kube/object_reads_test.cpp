// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

TEST(List, SelectsByFieldsAndLabels) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(DeploymentSpec("web", 2));
  cluster.world.add_deployment(DeploymentSpec("api", 2));
  EXPECT_EQ(names_of(cluster.get("/api/v1/pods")).size(), 4U);
  EXPECT_EQ(names_of(cluster.get("/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-1")).size(), 2U);
  EXPECT_EQ(
      names_of(cluster.get("/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-1,status.phase!%3DRunning")),
      Names());
  EXPECT_EQ(names_of(cluster.get("/api/v1/namespaces/default/pods?labelSelector=app%20in%20(web,x)")).size(),
            2U);
  EXPECT_EQ(names_of(cluster.get("/api/v1/pods?labelSelector=app!%3Dweb,app")).size(), 2U);
  EXPECT_EQ(names_of(cluster.get("/api/v1/namespaces/kube-system/pods")), Names());
  EXPECT_EQ(names_of(cluster.get("/api/v1/nodes?fieldSelector=metadata.name%3Dnode-2")), Names{"node-2"});
}

TEST(List, AnUnknownFieldIsABadRequest) {
  SmallCluster cluster(1);
  const auto answer = cluster.call("GET", "/api/v1/nodes?fieldSelector=spec.podCIDR%3Dx");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "message"), "field label not supported: spec.podCIDR");
}

TEST(List, PagesShowOneMoment) {
  SmallCluster cluster(3);
  const json::value first = cluster.get("/api/v1/nodes?limit=2");
  EXPECT_EQ(names_of(first), (Names{"node-1", "node-2"}));
  EXPECT_EQ(integer_at(find(first, "metadata"), "remainingItemCount"), 1);
  cluster.world.remove_node(instance(3));
  cluster.world.add_node(NodeSpec("node-4", instance(4)));
  const std::string token = net::percent_encode(text_at(first, "metadata.continue"));
  const json::value second = cluster.get("/api/v1/nodes?limit=2&continue=" + token);
  EXPECT_EQ(names_of(second), Names{"node-3"});
  EXPECT_EQ(text_at(second, "metadata.continue"), "");
  EXPECT_EQ(text_at(second, "metadata.resourceVersion"), text_at(first, "metadata.resourceVersion"));
}

TEST(List, AContinuationOlderThanTheHistoryHasExpired) {
  SmallCluster cluster(3);
  const json::value first = cluster.get("/api/v1/nodes?limit=2");
  cluster.world.remove_node(instance(3));
  cluster.world.forget_history();
  const std::string token = net::percent_encode(text_at(first, "metadata.continue"));
  const auto answer = cluster.call("GET", "/api/v1/nodes?limit=2&continue=" + token);
  EXPECT_EQ(answer.status, 410);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "reason"), "Expired");
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes?continue=nonsense").status, 400);
}

TEST(List, ItemsCarryNoTypeAndSingleObjectsDo) {
  SmallCluster cluster(1);
  const json::value list = cluster.get("/api/v1/nodes");
  EXPECT_EQ(text_at(list, "kind"), "NodeList");
  EXPECT_EQ(text_at(array_at(&list, "items")->at(0), "kind"), "");
  EXPECT_EQ(text_at(cluster.get("/api/v1/nodes/node-1"), "kind"), "Node");
}

TEST(List, MetadataOnlyWhenAsked) {
  SmallCluster cluster(1);
  cluster.accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  const json::value list = cluster.get("/api/v1/nodes");
  EXPECT_EQ(text_at(list, "kind"), "PartialObjectMetadataList");
  EXPECT_EQ(array_at(&list, "items")->at(0).as_object().if_contains("spec"), nullptr);
  EXPECT_EQ(names_of(list), Names{"node-1"});
}

TEST(Access, AWrongTokenIsUnauthorized) {
  SmallCluster cluster(1);
  cluster.handler.accept_token(Secret("right"), "admin");
  cluster.token = "wrong";
  const auto answer = cluster.call("GET", "/api/v1/nodes");
  EXPECT_EQ(answer.status, 401);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "reason"), "Unauthorized");
  EXPECT_EQ(cluster.journal.entries().back().outcome, "401");
  cluster.token = "right";
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes").status, 200);
  cluster.handler.refuse_token(Secret("right"));
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes").status, 401);
}

TEST(Access, ProtobufIsRefusedAsABodyAndPassedOverInAccept) {
  SmallCluster cluster(1);
  const auto answer = cluster.call("POST", "/api/v1/namespaces/default/configmaps", "k8s",
                                   "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(answer.status, 415);
  cluster.accept = "application/vnd.kubernetes.protobuf,application/json";
  EXPECT_EQ(text_at(cluster.get("/api/v1/nodes"), "kind"), "NodeList");
  cluster.accept = "application/vnd.kubernetes.protobuf";
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes").status, 406);
}

TEST(Leases, AreMadeRenewedAndGuardedByTheirVersion) {
  SmallCluster cluster(1);
  const std::string all = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  const auto made = cluster.call(
      "POST", all, R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"a","leaseDurationSeconds":15}})");
  ASSERT_EQ(made.status, 201);
  EXPECT_EQ(cluster.call("POST", all, R"({"metadata":{"name":"l"}})").status, 409);
  json::value lease = SmallCluster::body(made);
  make_at(lease, "spec.holderIdentity") = "b";
  const auto renewed = cluster.call("PUT", all + "/l", json::serialize(lease));
  EXPECT_EQ(renewed.status, 200);
  EXPECT_EQ(text_at(SmallCluster::body(renewed), "spec.holderIdentity"), "b");
  make_at(lease, "spec.holderIdentity") = "c";
  EXPECT_EQ(cluster.call("PUT", all + "/l", json::serialize(lease)).status, 409);
  EXPECT_EQ(cluster.call("DELETE", all + "/l").status, 200);
  EXPECT_EQ(cluster.call("GET", all + "/l").status, 404);
}

TEST(Events, LiveInTheNamespaceOfWhatTheyAreAbout) {
  SmallCluster cluster(1);
  const std::string about_node =
      R"({"metadata":{"name":"e"},"reason":"Drained","involvedObject":{"kind":"Node","name":"node-1"}})";
  EXPECT_EQ(cluster.call("POST", "/api/v1/namespaces/kube-system/events", about_node).status, 422);
  EXPECT_EQ(cluster.call("POST", "/api/v1/namespaces/default/events", about_node).status, 201);
  EXPECT_EQ(names_of(cluster.get("/api/v1/events?fieldSelector=involvedObject.name%3Dnode-1")), Names{"e"});
  EXPECT_EQ(
      cluster.call("POST", "/api/v1/namespaces/default/events", "k8s", "application/vnd.kubernetes.protobuf")
          .status,
      201);
}

TEST(Paths, WhatDoesNotExistIsNotFoundAndBadBodiesAreRefused) {
  SmallCluster cluster(1);
  EXPECT_EQ(cluster.call("GET", "/api/v1/unknowns").status, 404);
  EXPECT_EQ(cluster.call("GET", "/apis/nobody.example/v1/things").status, 404);
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes/node-1/too/deep").status, 404);
  EXPECT_EQ(cluster.call("DELETE", "/api/v1/namespaces").status, 405);
  EXPECT_EQ(cluster.patch_node("node-1", R"({"spec":)").status, 400);
  EXPECT_EQ(cluster.patch_node("node-1", "[]").status, 400);
}

TEST(Forms, MetadataAloneHasOneFormForAnObjectAndOneForAList) {
  SmallCluster cluster(1);
  const auto status = [&](const std::string& kind, const std::string& path) {
    cluster.accept = "application/json;g=meta.k8s.io;v=v1;as=" + kind;
    return cluster.call("GET", path).status;
  };
  EXPECT_EQ(status("PartialObjectMetadata", "/api/v1/nodes/node-1"), 200);
  EXPECT_EQ(status("PartialObjectMetadataList", "/api/v1/nodes"), 200);
  EXPECT_EQ(status("PartialObjectMetadataList", "/api/v1/nodes/node-1"), 406);
  EXPECT_EQ(status("PartialObjectMetadata", "/api/v1/nodes"), 406);
}

TEST(Collections, AreDeletedAsFarAsTheSelectorsReach) {
  SmallCluster cluster(0);
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  for (const char* map :
       {R"({"metadata":{"name":"a","labels":{"x":"1"}}})", R"({"metadata":{"name":"b"}})"}) {
    (void)cluster.call("POST", maps, map);
  }
  EXPECT_EQ(cluster.call("DELETE", maps + "?labelSelector=x%3D1&dryRun=All").status, 200);
  EXPECT_EQ(names_of(cluster.get(maps)).size(), 2U);
  const json::value gone = SmallCluster::body(cluster.call("DELETE", maps + "?labelSelector=x%3D1"));
  EXPECT_EQ(names_of(gone), std::vector<std::string>{"a"});
  EXPECT_EQ(names_of(cluster.get(maps)), std::vector<std::string>{"b"});
}

TEST(Collections, PodsOfACollectionEndWithinTheirGrace) {
  SmallCluster cluster(1);
  PodSpec pod;
  pod.name = "p";
  pod.behaviour.end_time = std::chrono::seconds{5};
  cluster.world.add_pod(pod);
  EXPECT_EQ(cluster.call("DELETE", "/api/v1/namespaces/default/pods").status, 200);
  EXPECT_TRUE(cluster.only_pod_of(1).terminating);
  cluster.sim.clock.advance(std::chrono::seconds{6});
  EXPECT_TRUE(cluster.world.pods().empty());
}

}  // namespace
}  // namespace ferryman::sandbox
