// SPDX-License-Identifier: Apache-2.0
// What a real API server refuses, in its words: each was a difference found by tests/conformance/kubernetes.
#include <gtest/gtest.h>

#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr const char* maps = "/api/v1/namespaces/default/configmaps";
constexpr const char* leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

std::string message(const net::HttpResponse& response) {
  const json::value status = SmallCluster::body(response);
  return std::string(text_at(status, "message"));
}

std::string refused_patch(const std::string& patch) {
  SmallCluster cluster(1);
  const auto answer = cluster.patch_node("node-1", patch);
  EXPECT_EQ(answer.status, 422) << patch;
  return message(answer);
}

PodReport guarded_pod(SmallCluster& cluster, int min_available) {
  DeploymentSpec spec("app", 1);
  spec.min_available = min_available;
  cluster.world.add_deployment(spec);
  cluster.sim.clock.advance(1s);
  return cluster.only_pod_of(1);
}

TEST(Refusals, TheBudgetIsAskedBeforeTheUid) {
  SmallCluster cluster(1);
  const PodReport pod = guarded_pod(cluster, 1);
  const std::string other = R"({"preconditions":{"uid":"other"}})";
  EXPECT_EQ(cluster.evict(pod, other).status, 429);
}

TEST(Refusals, AnotherUidSpendsNoDisruption) {
  SmallCluster cluster(1);
  const PodReport pod = guarded_pod(cluster, 0);
  const auto answer = cluster.evict(pod, R"({"preconditions":{"uid":"other"}})");
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "details.kind"), "Pod");
  EXPECT_EQ(cluster.evict(pod).status, 201);
}

TEST(Refusals, AnEvictionNamesItsPod) {
  SmallCluster cluster(1);
  const PodReport pod = guarded_pod(cluster, 0);
  const std::string path = "/api/v1/namespaces/default/pods/" + pod.name + "/eviction";
  const auto answer = cluster.call("POST", path, "{}");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(message(answer), "name in URL does not match name in Eviction object");
  EXPECT_EQ(cluster.call("GET", path).status, 405);
}

TEST(Refusals, TaintsMustBeTaints) {
  EXPECT_EQ(
      refused_patch(R"({"spec":{"taints":[{"key":"a","effect":"Nonsense"}]}})"),
      R"(Node "node-1" is invalid: metadata.taints[0].effect: Unsupported value: "Nonsense": supported values: )"
      R"("NoSchedule", "PreferNoSchedule", "NoExecute")");
  EXPECT_NE(
      refused_patch(
          R"({"spec":{"taints":[{"key":"a","effect":"NoSchedule"},{"key":"a","effect":"NoSchedule"}]}})")
          .find("taints must be unique by key and effect pair"),
      std::string::npos);
}

TEST(Refusals, LabelsAndAnnotationsHaveAForm) {
  EXPECT_NE(refused_patch(R"({"metadata":{"labels":{"bad key!":"x"}}})").find("name part must consist of"),
            std::string::npos);
  EXPECT_NE(refused_patch(R"({"metadata":{"labels":{"a":"b c"}}})").find("a valid label must be"),
            std::string::npos);
  const std::string large(262'145, 'x');
  EXPECT_EQ(refused_patch(R"({"metadata":{"annotations":{"a":")" + large + R"("}}})"),
            R"(Node "node-1" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes)");
}

TEST(Refusals, AProviderIdStaysWhatItIs) {
  EXPECT_NE(
      refused_patch(R"({"spec":{"providerID":"aws:///x/i-1"}})").find("field cannot be modified once set"),
      std::string::npos);
}

TEST(Refusals, ALeaseIsUpdatedByItsVersionAndLasts) {
  SmallCluster cluster(0);
  (void)cluster.call("POST", leases, R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"a"}})");
  const auto blind = cluster.call("PUT", std::string(leases) + "/l", R"({"metadata":{"name":"l"}})");
  EXPECT_EQ(blind.status, 422);
  EXPECT_EQ(
      message(blind),
      R"(leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified )"
      "for an update");
  const auto none = cluster.call("PATCH", std::string(leases) + "/l",
                                 R"({"spec":{"leaseDurationSeconds":0}})", "application/merge-patch+json");
  EXPECT_EQ(none.status, 422);
  EXPECT_NE(message(none).find("must be greater than 0"), std::string::npos);
}

TEST(Refusals, ABudgetSaysOneThingInNumbersOrPercent) {
  SmallCluster cluster(0);
  const auto refused = [&](const std::string& spec) {
    return message(cluster.call("POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
                                R"({"metadata":{"name":"b"},"spec":)" + spec + "}"));
  };
  EXPECT_NE(refused(R"({"minAvailable":"x"})").find("a valid percent string must be"), std::string::npos);
  EXPECT_NE(refused(R"({"minAvailable":1,"maxUnavailable":1})").find("cannot be both set"),
            std::string::npos);
  EXPECT_EQ(refused(R"({"minAvailable":"50%"})"), "");
}

TEST(Refusals, NamesAreSubdomains) {
  SmallCluster cluster(0);
  const auto answer = cluster.call("POST", maps, R"({"metadata":{"name":"Bad_Name"}})");
  EXPECT_EQ(answer.status, 422);
  EXPECT_NE(message(answer).find("a lowercase RFC 1123 subdomain"), std::string::npos);
  const json::value status = SmallCluster::body(answer);
  EXPECT_EQ(string_at(array_at(value_at(status, "details"), "causes")->at(0), "field"), "metadata.name");
}

TEST(Refusals, ABodyMustBeOfAFormThatIsRead) {
  SmallCluster cluster(0);
  EXPECT_EQ(cluster.call("POST", maps, R"({"metadata":{"name":"m"}})", "text/plain").status, 415);
  EXPECT_EQ(cluster.call("POST", maps).status, 400);
  EXPECT_EQ(
      cluster.call("POST", maps, R"({"metadata":{"name":"m"}})", "application/json; charset=utf-8").status,
      201);
}

TEST(Refusals, ParametersMustMeanSomething) {
  SmallCluster cluster(1);
  const auto status = [&](const std::string& query) {
    return cluster.call("GET", "/api/v1/nodes?" + query).status;
  };
  EXPECT_EQ(status("limit=x"), 400);
  EXPECT_EQ(status("resourceVersion=abc"), 400);
  EXPECT_EQ(status("resourceVersionMatch=Exact"), 422);
  EXPECT_EQ(status("continue=1:/a&resourceVersion=5"), 400);
  EXPECT_EQ(status("labelSelector=a%20%3D%3D%3D"), 400);
  const std::string body = R"({"metadata":{"name":"m"}})";
  EXPECT_EQ(cluster.call("POST", std::string(maps) + "?dryRun=Some", body).status, 422);
  EXPECT_EQ(cluster.call("POST", std::string(maps) + "?fieldValidation=Nonsense", body).status, 422);
  EXPECT_EQ(cluster.call("DELETE", std::string(maps) + "/m?gracePeriodSeconds=x").status, 400);
}

TEST(Refusals, PathsThatNoApiHasAreNotFoundInPlainText) {
  SmallCluster cluster(0);
  for (const char* path : {"/nosuch", "/apis/nosuch/v1", "/apis/nosuch/v1/things"}) {
    const auto answer = cluster.call("GET", path);
    EXPECT_EQ(answer.status, 404);
    EXPECT_EQ(answer.body, "404 page not found\n") << path;
  }
  EXPECT_EQ(message(cluster.call("GET", "/api/v1/things")),
            "the server could not find the requested resource");
  EXPECT_EQ(cluster.call("POST", "/api/v1", "{}").status, 405);
}

TEST(Answers, AWatchOfANameIsAGet) {
  SmallCluster cluster(1);
  EXPECT_EQ(text_at(cluster.get("/api/v1/nodes/node-1?watch=true"), "kind"), "Node");
}

TEST(Answers, NamespacesAndAccountsThatGoAreShown) {
  SmallCluster cluster(0);
  cluster.world.add_namespace("n");
  const json::value going = SmallCluster::body(cluster.call("DELETE", "/api/v1/namespaces/n"));
  EXPECT_EQ(text_at(going, "kind"), "Namespace");
  EXPECT_EQ(text_at(going, "status.phase"), "Terminating");
  EXPECT_EQ(cluster.call("GET", "/api/v1/namespaces/n").status, 404);
}

TEST(Answers, AContinueTokenThatIsTooOldComesWithAnother) {
  SmallCluster cluster(3);
  const json::value page = cluster.get("/api/v1/nodes?limit=1");
  cluster.world.touch_node(instance(1));
  cluster.world.forget_history();
  const auto late = cluster.call(
      "GET", "/api/v1/nodes?limit=1&continue=" + net::percent_encode(text_at(page, "metadata.continue")));
  EXPECT_EQ(late.status, 410);
  const json::value status = SmallCluster::body(late);
  const json::value rest =
      cluster.get("/api/v1/nodes?continue=" + net::percent_encode(text_at(status, "metadata.continue")));
  EXPECT_EQ(names_of(rest), (std::vector<std::string>{"node-2", "node-3"}));
}

TEST(Answers, EventsSayNothingInFull) {
  SmallCluster cluster(0);
  const json::value event = SmallCluster::body(
      cluster.call("POST", "/api/v1/namespaces/default/events",
                   R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Node","name":"n"},"reason":"R"})"));
  EXPECT_TRUE(find(event, "eventTime")->is_null());
  EXPECT_TRUE(find(event, "reportingComponent")->is_string());
}

TEST(Refusals, InitialEventsNeedTheirMatch) {
  SmallCluster cluster(0);
  EXPECT_EQ(cluster.call("GET", "/api/v1/nodes?watch=1&sendInitialEvents=true").status, 422);
}

TEST(Refusals, HealthIsToldToAnybody) {
  SmallCluster cluster(0);
  cluster.handler.accept_token(Secret("t"), "admin");
  EXPECT_EQ(cluster.call("GET", "/readyz").body, "ok");
  EXPECT_EQ(cluster.call("GET", "/version").status, 401);
}

}  // namespace
}  // namespace ferryman::sandbox
