// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kube/objects.h"
#include "unit/kube/kube_fixture.h"

namespace ferryman::test {

namespace {

constexpr const char* path = "/apis/elbv2.k8s.aws/v1beta1/targetgroupbindings";

/// The list that the API server gives, or the refusal.
void answer(KubeFixture& kube, int status, std::string body) {
  kube.server.intercept = [status, body](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (request.url.find(path) == std::string::npos) return std::nullopt;
    net::HttpReply reply;
    reply.response.status = status;
    reply.response.body = body;
    return reply;
  };
}

}  // namespace

TEST(TargetGroupBindings, NameTheirGroupAndTheirNamespace) {
  KubeFixture kube;
  answer(kube, 200, R"({"kind":"TargetGroupBindingList","metadata":{"resourceVersion":"7"},"items":[
      {"metadata":{"name":"a","namespace":"shop"},"spec":{"targetGroupARN":"arn:a","targetType":"ip"}},
      {"metadata":{"name":"b","namespace":"shop"},"spec":{"targetType":"ip"}},
      {"metadata":{"name":"c","namespace":"ops"},"spec":{"targetGroupARN":7}}]})");
  const auto bindings = kube.sim.run(kube.cluster->target_group_bindings(kube.soon()));
  ASSERT_TRUE(bindings.ok()) << bindings.error().text;
  ASSERT_EQ(bindings->size(), 1U);
  EXPECT_EQ((*bindings)[0].binding_namespace, "shop");
  EXPECT_EQ((*bindings)[0].group_arn, "arn:a");
}

TEST(TargetGroupBindings, AreNoneWhereTheClusterDoesNotKnowThem) {
  KubeFixture kube;
  answer(kube, 404, "404 page not found\n");
  const auto bindings = kube.sim.run(kube.cluster->target_group_bindings(kube.soon()));
  ASSERT_TRUE(bindings.ok()) << bindings.error().text;
  EXPECT_TRUE(bindings->empty());
}

TEST(TargetGroupBindings, AreNotKnownWhenSomethingElseAnswersInTheApiServersPlace) {
  KubeFixture kube;
  answer(kube, 404, "<html>no such page</html>");
  EXPECT_FALSE(kube.sim.run(kube.cluster->target_group_bindings(kube.soon())).ok());
  answer(kube, 200, "{}");
  EXPECT_FALSE(kube.sim.run(kube.cluster->target_group_bindings(kube.soon())).ok());
}

TEST(TargetGroupBindings, WithoutTheRightAreDenied) {
  KubeFixture kube;
  answer(kube, 403, R"({"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"no"})");
  const auto bindings = kube.sim.run(kube.cluster->target_group_bindings(kube.soon()));
  ASSERT_FALSE(bindings.ok());
  EXPECT_EQ(bindings.error().fault, Fault::denied);
}

TEST(Addresses, AreReadOfNodesAndPods) {
  const auto node = kube::node_from(parse_json(R"({"metadata":{"name":"n","uid":"u"},"status":{"addresses":[
      {"type":"Hostname","address":"ip-10-0-1-2"},{"type":"InternalIP","address":"10.0.1.2"},
      {"type":"InternalIP","address":"2001:db8::1"},{"type":"ExternalIP","address":"3.4.5.6"}]}})")
                                        .value());
  ASSERT_TRUE(node);
  EXPECT_EQ(node->addresses, (std::vector<std::string>{"10.0.1.2", "2001:db8::1"}));
  const auto pod = kube::pod_from(parse_json(R"({"metadata":{"name":"p","namespace":"s","uid":"u"},
      "status":{"podIP":"10.0.7.1","podIPs":[{"ip":"10.0.7.1"},{"ip":"2001:db8::7"},7,{}]}})")
                                      .value());
  ASSERT_TRUE(pod);
  EXPECT_EQ(pod->addresses, (std::vector<std::string>{"10.0.7.1", "2001:db8::7"}));
}

}  // namespace ferryman::test
