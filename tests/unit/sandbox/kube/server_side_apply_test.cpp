// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sandbox/kube/pod_objects.h"
#include "sandbox/kube/rights_text.h"
#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

class ApplyCluster : public SmallCluster {
 public:
  ApplyCluster() : SmallCluster(1) {}

  net::HttpResponse apply(const std::string& path, const std::string& config,
                          const std::string& manager = "a", const std::string& more = {}) {
    return call("PATCH", path + "?fieldManager=" + manager + more, config, "application/apply-patch+yaml");
  }

  net::HttpResponse apply_map(const std::string& data, const std::string& manager = "a",
                              const std::string& more = {}) {
    return apply("/api/v1/namespaces/default/configmaps/m",
                 R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":)" + data + "}",
                 manager, more);
  }

  json::value data() {
    const json::value map = get("/api/v1/namespaces/default/configmaps/m");
    const json::value* data = find(map, "data");
    return data == nullptr ? json::value() : *data;
  }
};

TEST(ServerSideApply, CreatesThenChanges) {
  ApplyCluster cluster;
  EXPECT_EQ(cluster.apply_map(R"({"x":"1"})").status, 201);
  EXPECT_EQ(cluster.apply_map(R"({"x":"2"})").status, 200);
  EXPECT_EQ(cluster.data(), *parse_json(R"({"x":"2"})"));
}

TEST(ServerSideApply, TheSameAgainChangesNothing) {
  ApplyCluster cluster;
  const json::value first = SmallCluster::body(cluster.apply_map(R"({"x":"1"})"));
  EXPECT_EQ(text_at(SmallCluster::body(cluster.apply_map(R"({"x":"1"})")), "metadata.resourceVersion"),
            text_at(first, "metadata.resourceVersion"));
}

TEST(ServerSideApply, WhatIsLeftOutGoesUnlessSomebodyElseWantsIt) {
  ApplyCluster cluster;
  (void)cluster.apply_map(R"({"x":"1","y":"2","z":"3"})");
  (void)cluster.apply_map(R"({"y":"2"})", "b");
  EXPECT_EQ(cluster.apply_map(R"({"z":"3"})").status, 200);
  EXPECT_EQ(cluster.data(), *parse_json(R"({"y":"2","z":"3"})"));
}

TEST(ServerSideApply, AnothersFieldIsAConflictUntilForced) {
  ApplyCluster cluster;
  (void)cluster.apply_map(R"({"x":"1"})");
  const auto refused = cluster.apply_map(R"({"x":"2"})", "b");
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(text_at(SmallCluster::body(refused), "message"),
            R"(Apply failed with 1 conflict: conflict with "a": .data.x)");
  EXPECT_EQ(cluster.data(), *parse_json(R"({"x":"1"})"));
  EXPECT_EQ(cluster.apply_map(R"({"x":"2"})", "b", "&force=true").status, 200);
  EXPECT_EQ(cluster.data(), *parse_json(R"({"x":"2"})"));
  EXPECT_EQ(cluster.apply_map(R"({"x":"1"})").status, 409);
}

TEST(ServerSideApply, APatchTakesTheFieldOver) {
  ApplyCluster cluster;
  (void)cluster.apply_map(R"({"x":"1"})");
  (void)cluster.call("PATCH", "/api/v1/namespaces/default/configmaps/m?fieldManager=editor",
                     R"({"data":{"x":"2"}})", "application/merge-patch+json");
  const auto refused = cluster.apply_map(R"({"x":"1"})");
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("conflict with \\\"editor\\\" using v1"), std::string::npos) << refused.body;
}

TEST(ServerSideApply, WhatWasThereBeforeBelongsToNobodyNamed) {
  ApplyCluster cluster;
  const auto refused = cluster.apply(
      "/api/v1/nodes/node-1",
      R"({"apiVersion":"v1","kind":"Node","metadata":{"labels":{"kubernetes.io/os":"windows","new":"1"}}})");
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("before-first-apply"), std::string::npos);
  EXPECT_NE(refused.body.find(".metadata.labels.kubernetes.io/os"), std::string::npos);
}

TEST(ServerSideApply, ListsAreMergedByTheirKeys) {
  ApplyCluster cluster;
  const auto pod = [](const std::string& containers) {
    return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[)" + containers +
           "]}}";
  };
  const std::string path = "/api/v1/namespaces/default/pods/p";
  ASSERT_EQ(cluster.apply(path, pod(R"({"name":"app","image":"i"})")).status, 201);
  const auto sidecar = cluster.apply(path, pod(R"({"name":"side","image":"s"})"), "b");
  ASSERT_EQ(sidecar.status, 200) << sidecar.body;
  const json::value both = cluster.get(path);
  EXPECT_EQ(*find(find(both, "spec"), "containers"),
            *parse_json(R"([{"name":"app","image":"i"},{"name":"side","image":"s"}])"));
  const auto other = cluster.apply(path, pod(R"({"name":"app","image":"j"})"), "b");
  EXPECT_NE(other.body.find(R"(.spec.containers[name=\"app\"].image)"), std::string::npos) << other.body;
}

TEST(ServerSideApply, ADryRunChangesNothing) {
  ApplyCluster cluster;
  const auto answer = cluster.apply_map(R"({"x":"1"})", "a", "&dryRun=All");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "data.x"), "1");
  EXPECT_EQ(cluster.call("GET", "/api/v1/namespaces/default/configmaps/m").status, 404);
}

TEST(ServerSideApply, FieldsThatTheSchemaLacksAreAlwaysRefused) {
  ApplyCluster cluster;
  const auto answer = cluster.apply("/apis/apps/v1/namespaces/default/deployments/d",
                                    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},)"
                                    R"("spec":{"replica":1}})");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "message"),
            "failed to create typed patch object (default/d; apps/v1, Kind=Deployment): .spec.replica: field "
            "not declared in "
            "schema");
}

TEST(ServerSideApply, NeedsAManagerAndTheRightType) {
  ApplyCluster cluster;
  EXPECT_EQ(cluster.apply_map("{}", "").status, 422);
  EXPECT_EQ(cluster.apply("/api/v1/nodes/node-1", R"({"apiVersion":"v1","kind":"Pod"})").status, 400);
}

TEST(ServerSideApply, CreatingTakesTheRightToCreate) {
  ApplyCluster cluster;
  grant(cluster.world.state().objects, "patcher", read_rights("configmaps:patch").value());
  cluster.handler.accept_token(Secret("t"), authenticated_user("patcher"));
  cluster.token = "t";
  const auto answer = cluster.apply_map(R"({"x":"1"})");
  EXPECT_EQ(answer.status, 403);
  EXPECT_NE(answer.body.find("cannot create resource"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::sandbox
