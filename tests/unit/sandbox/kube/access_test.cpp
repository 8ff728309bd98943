// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sandbox/kube/access_reviews.h"
#include "sandbox/kube/rights_text.h"
#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

/// A cluster whose callers are "drainer", with the rights, by the token "t".
class LimitedCluster : public SmallCluster {
 public:
  explicit LimitedCluster(std::string_view rights) : SmallCluster(1) {
    grant(world.state().objects, "drainer", read_rights(rights).value());
    handler.accept_token(Secret("admin"), "system:admin");
    handler.accept_token(Secret("t"), authenticated_user("drainer"));
    token = "t";
  }

  std::string message(const net::HttpResponse& response) {
    return std::string(text_at(body(response), "message"));
  }

  bool may(const std::string& attributes) {
    const auto answer = call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                             R"({"spec":{"resourceAttributes":)" + attributes + "}}");
    EXPECT_EQ(answer.status, 201) << answer.body;
    const json::value review = body(answer);
    return bool_at(find(review, "status"), "allowed");
  }
};

TEST(Access, WhatNoRightAllowsIsForbiddenInKubernetesWords) {
  LimitedCluster cluster("nodes:get,list");
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes").status, 200);
  const auto listed = cluster.call("GET", "/api/v1/pods");
  EXPECT_EQ(listed.status, 403);
  EXPECT_EQ(
      cluster.message(listed),
      R"(pods is forbidden: User "drainer" cannot list resource "pods" in API group "" at the cluster scope)");
  EXPECT_EQ(text_at(SmallCluster::body(listed), "reason"), "Forbidden");
  const auto patched = cluster.patch_node("node-1", R"({"spec":{"unschedulable":true}})");
  EXPECT_EQ(
      cluster.message(patched),
      R"(nodes "node-1" is forbidden: User "drainer" cannot patch resource "nodes" in API group "" at the )"
      "cluster scope");
  EXPECT_FALSE(cluster.world.find_node(instance(1))->unschedulable);
}

TEST(Access, SubresourcesAndGroupsAreNamed) {
  LimitedCluster cluster("pods:*");
  const auto evicted = cluster.call("POST", "/api/v1/namespaces/default/pods/a/eviction", "{}");
  EXPECT_EQ(
      cluster.message(evicted),
      R"(pods "a" is forbidden: User "drainer" cannot create resource "pods/eviction" in API group "" in the )"
      R"(namespace "default")");
  const auto lease = cluster.call("GET", "/apis/coordination.k8s.io/v1/namespaces/x/leases/l");
  EXPECT_EQ(
      cluster.message(lease),
      R"(leases.coordination.k8s.io "l" is forbidden: User "drainer" cannot get resource "leases" in API group )"
      R"("coordination.k8s.io" in the namespace "x")");
  // A type that the server does not have is forbidden too, not missing.
  EXPECT_EQ(cluster.message(cluster.call("GET", "/apis/elbv2.k8s.aws/v1beta1/targetgroupbindings")),
            R"(targetgroupbindings.elbv2.k8s.aws is forbidden: User "drainer" cannot list resource )"
            R"("targetgroupbindings" in API group "elbv2.k8s.aws" at the cluster scope)");
}

TEST(Access, ARightOnASubresourceIsNoneOnTheResource) {
  LimitedCluster cluster("pods/eviction:create");
  EXPECT_EQ(cluster.call("POST", "/api/v1/namespaces/default/pods/a/eviction", R"({"metadata":{"name":"a"}})")
                .status,
            404);
  EXPECT_EQ(cluster.call("POST", "/api/v1/namespaces/default/pods", "{}").status, 403);
}

TEST(Access, ARightCanBeForOneObject) {
  LimitedCluster cluster("nodes=node-1:get,list,watch");
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes/node-1").status, 200);
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes/node-2").status, 403);
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes").status, 403);
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes?fieldSelector=metadata.name%3Dnode-1").status, 200);
}

TEST(Access, ARoleHoldsInItsNamespaceOnly) {
  LimitedCluster cluster("nodes:list");
  cluster.token = "admin";
  (void)cluster.call(
      "POST", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
      R"({"metadata":{"name":"r"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["list"]}]})");
  (void)cluster.call(
      "POST", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
      R"({"metadata":{"name":"b"},"roleRef":{"kind":"Role","name":"r"},"subjects":[{"kind":"User",)"
      R"("name":"drainer"}]})");
  cluster.token = "t";
  EXPECT_EQ(cluster.call("GET", "/api/v1/namespaces/default/pods").status, 200);
  EXPECT_EQ(cluster.call("GET", "/api/v1/namespaces/kube-system/pods").status, 403);
  EXPECT_EQ(cluster.call("GET", "/api/v1/pods").status, 403);
}

TEST(Access, EverybodyMayDiscoverAndAskAboutHimself) {
  LimitedCluster cluster("nodes:list");
  EXPECT_EQ(cluster.call("GET", "/apis").status, 200);
  EXPECT_EQ(cluster.call("GET", "/version").status, 200);
  EXPECT_EQ(cluster.message(cluster.call("GET", "/metrics")),
            R"(forbidden: User "drainer" cannot get path "/metrics")");
  EXPECT_TRUE(cluster.may(R"({"verb":"list","resource":"nodes"})"));
  EXPECT_FALSE(cluster.may(R"({"verb":"delete","resource":"nodes"})"));
}

TEST(Access, OnlyWhoMayCanAskAboutOthers) {
  LimitedCluster cluster("nodes:list");
  const std::string path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  const std::string asked =
      R"({"spec":{"user":"drainer","resourceAttributes":{"verb":"list","resource":"nodes"}}})";
  EXPECT_EQ(cluster.call("POST", path, asked).status, 403);
  cluster.token = "admin";
  const json::value review = SmallCluster::body(cluster.call("POST", path, asked));
  EXPECT_TRUE(bool_at(find(review, "status"), "allowed"));
  EXPECT_EQ(
      text_at(review, "status.reason"),
      R"(RBAC: allowed by ClusterRoleBinding "sandbox:drainer" of ClusterRole "sandbox:drainer" to User "drainer")");
}

TEST(Access, RulesAreListed) {
  LimitedCluster cluster("nodes:list");
  const json::value review =
      SmallCluster::body(cluster.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                                      R"({"spec":{"namespace":"default"}})"));
  const json::array& rules = *array_at(find(review, "status"), "resourceRules");
  EXPECT_NE(
      std::find(rules.begin(), rules.end(),
                json::value(*parse_json(R"({"verbs":["list"],"apiGroups":[""],"resources":["nodes"]})"))),
      rules.end());
}

TEST(Access, AReviewMustAskOneThing) {
  LimitedCluster cluster("nodes:list");
  const auto answer =
      cluster.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", R"({"spec":{}})");
  EXPECT_EQ(answer.status, 422);
}

TEST(ServiceAccount, ItsTokenHasItsRightsAndEnds) {
  SmallCluster cluster(1);
  const std::string accounts = "/api/v1/namespaces/default/serviceaccounts";
  (void)cluster.call("POST", accounts, R"({"metadata":{"name":"drainer"}})");
  grant(cluster.world.state().objects, "system:serviceaccount:default:drainer",
        read_rights("nodes:list").value());
  const auto issued =
      cluster.call("POST", accounts + "/drainer/token", R"({"spec":{"expirationSeconds":600}})");
  ASSERT_EQ(issued.status, 201) << issued.body;
  cluster.token = text_at(SmallCluster::body(issued), "status.token");
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes").status, 200);
  EXPECT_EQ(cluster.call("GET", "/api/v1/pods").status, 403);
  cluster.sim.clock.advance(601s);
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes").status, 401);
}

TEST(ServiceAccount, GroupsOfServiceAccountsAreBound) {
  EXPECT_TRUE(authenticated_user("system:serviceaccount:a:b").in_group("system:serviceaccounts:a"));
  EXPECT_FALSE(authenticated_user("a:b").in_group("system:serviceaccounts"));
}

TEST(Rights, AreReadFromOneLine) {
  const auto rules =
      read_rights("nodes:get,list  pods/eviction:create leases.coordination.k8s.io=leader:* *:*");
  ASSERT_TRUE(rules) << rules.error().text;
  EXPECT_EQ(
      json::value(*rules),
      *parse_json(
          R"([{"verbs":["get","list"],"apiGroups":[""],"resources":["nodes"]},)"
          R"({"verbs":["create"],"apiGroups":[""],"resources":["pods/eviction"]},)"
          R"({"verbs":["*"],"apiGroups":["coordination.k8s.io"],"resources":["leases"],"resourceNames":["leader"]},)"
          R"({"verbs":["*"],"apiGroups":["*"],"resources":["*"]}])"));
}

TEST(Rights, WhatIsNoneIsRefusedWithTheForm) {
  for (const char* text : {"nodes", "nodes:", ":get", "nodes:read"}) {
    const auto rules = read_rights(text);
    ASSERT_FALSE(rules) << text;
    EXPECT_NE(rules.error().text.find("write resource:verb,verb"), std::string::npos);
  }
}

}  // namespace
}  // namespace ferryman::sandbox
