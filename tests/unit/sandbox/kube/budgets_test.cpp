// SPDX-License-Identifier: Apache-2.0
// How the disruption controller counts, and what evictions make of it.
#include <gtest/gtest.h>

#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr const char* budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

json::value web_selector() {
  return *parse_json(R"({"matchExpressions":[{"key":"app","operator":"In","values":["web","shop"]}]})");
}

/// "healthy/desired/allowed/expected reason" of the budget "b".
std::string status_of(SmallCluster& cluster) {
  cluster.sim.clock.advance(1s);
  const json::value budget = cluster.get(std::string(budgets) + "/b");
  const json::value* status = find(budget, "status");
  const json::value& condition = array_at(status, "conditions")->at(0);
  return fmt::format("{}/{}/{}/{} {}", integer_at(status, "currentHealthy").value_or(-1),
                     integer_at(status, "desiredHealthy").value_or(-1),
                     integer_at(status, "disruptionsAllowed").value_or(-1),
                     integer_at(status, "expectedPods").value_or(-1), string_at(condition, "reason"));
}

std::string counted(SmallCluster& cluster, const char* member, json::value amount) {
  json::value spec = json::object();
  spec.get_object()[member] = std::move(amount);
  spec.get_object()["selector"] = web_selector();
  cluster.world.add_budget({"default", "b"}, std::move(spec));
  return status_of(cluster);
}

DeploymentSpec web(int replicas, Duration ready_after) {
  DeploymentSpec spec("web", replicas);
  spec.pods.ready_after = ready_after;
  return spec;
}

TEST(Budgets, ANumberIsKept) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(web(5, 0s));
  EXPECT_EQ(counted(cluster, "minAvailable", 3), "5/3/2/5 SufficientPods");
}

TEST(Budgets, SharesAreOfWhatTheControllerWants) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(web(5, 1h));
  (void)cluster.remove(cluster.world.pods().front());
  // Four are ready, and the fifth is being replaced: a half of five, rounded up.
  EXPECT_EQ(counted(cluster, "minAvailable", "50%"), "4/3/1/5 SufficientPods");
}

TEST(Budgets, HowManyMayLackIsOfWhatTheControllerWants) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(web(5, 1h));
  EXPECT_EQ(counted(cluster, "maxUnavailable", "30%"), "5/3/2/5 SufficientPods");
  (void)cluster.remove(cluster.world.pods().front());
  EXPECT_EQ(status_of(cluster), "4/3/1/5 SufficientPods");
}

TEST(Budgets, APodWithoutAControllerCountsForNoShare) {
  SmallCluster cluster(1);
  PodSpec bare;
  bare.name = "bare";
  bare.labels = {{"app", "web"}};
  cluster.world.add_pod(bare);
  EXPECT_EQ(counted(cluster, "maxUnavailable", 1), "1/0/0/0 InsufficientPods");
}

TEST(Budgets, AControllerThatCannotTellStopsAllDisruptions) {
  SmallCluster cluster(1);
  PodSpec job;
  job.name = "job";
  job.labels = {{"app", "web"}};
  job.owner_kind = "Job";
  cluster.world.add_pod(job);
  EXPECT_EQ(counted(cluster, "maxUnavailable", 1), "1/0/0/0 SyncFailed");
}

TEST(Budgets, AWatchShowsEachChangeOfWhatIsAllowed) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(web(2, 30s));
  EXPECT_EQ(counted(cluster, "minAvailable", 1), "2/1/1/2 SufficientPods");
  (void)cluster.remove(cluster.world.pods().front());
  EXPECT_EQ(status_of(cluster), "1/1/0/3 InsufficientPods");
  cluster.sim.clock.advance(40s);
  EXPECT_EQ(status_of(cluster), "2/1/1/2 SufficientPods");
}

TEST(Budgets, AnEvictionIsNotedUntilTheControllerHasSeenIt) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(web(2, 30s));
  (void)counted(cluster, "minAvailable", 1);
  const PodReport pod = cluster.world.pods().front();
  EXPECT_EQ(cluster.evict(pod).status, 201);
  const json::value budget = cluster.get(std::string(budgets) + "/b");
  EXPECT_EQ(integer_at(find(budget, "status"), "disruptionsAllowed"), 0);
  EXPECT_NE(find(value_at(budget, "status.disruptedPods"), pod.name), nullptr);
}

TEST(Budgets, ABudgetThatIsNotCountedNamesATimeAndOneThatIsSpentDoesNot) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(web(1, 0s));
  (void)cluster.call("POST", budgets, R"({"metadata":{"name":"b"},"spec":{"minAvailable":1,"selector":{}}})");
  EXPECT_EQ(cluster.evict(cluster.only_pod_of(1)).headers.get("Retry-After"), "10");
  cluster.sim.clock.advance(1s);
  const auto spent = cluster.evict(cluster.only_pod_of(1));
  EXPECT_EQ(spent.status, 429);
  EXPECT_EQ(spent.headers.get("Retry-After"), "");
}

TEST(Budgets, PodsThatNeverStartedOrHaveFinishedPassThem) {
  SmallCluster cluster(1);
  for (const char* phase : {"Pending", "Succeeded"}) {
    PodSpec pod;
    pod.name = phase == std::string("Pending") ? "pending" : "done";
    pod.labels = {{"app", "web"}};
    pod.node_name = "node-1";
    pod.phase = phase;
    pod.behaviour.ready_after = 1h;
    cluster.world.add_pod(pod);
  }
  (void)counted(cluster, "minAvailable", 2);
  for (const PodReport& pod : cluster.world.pods()) EXPECT_EQ(cluster.evict(pod).status, 201) << pod.name;
}

TEST(Budgets, CrashLoopingPodsMayGoOnlyWhereTheBudgetSaysSo) {
  SmallCluster cluster(1);
  DeploymentSpec crashing = web(1, 0s);
  crashing.pods.crash_looping = true;
  cluster.world.add_deployment(crashing);
  EXPECT_EQ(counted(cluster, "minAvailable", 1), "0/1/0/1 InsufficientPods");
  EXPECT_EQ(cluster.evict(cluster.only_pod_of(1)).status, 429);
  (void)cluster.call("PATCH", std::string(budgets) + "/b",
                     R"({"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}})",
                     "application/merge-patch+json");
  cluster.sim.clock.advance(1s);
  EXPECT_EQ(cluster.evict(cluster.only_pod_of(1)).status, 201);
}

}  // namespace
}  // namespace ferryman::sandbox
