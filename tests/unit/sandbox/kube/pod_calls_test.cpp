// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

DeploymentSpec guarded(int replicas, int min_available, Duration ready_after) {
  DeploymentSpec spec("web", replicas);
  spec.min_available = min_available;
  spec.pods.ready_after = ready_after;
  return spec;
}

TEST(Eviction, WaitsForTheBudgetUntilTheReplacementIsReady) {
  SmallCluster cluster(2);
  cluster.world.add_deployment(guarded(2, 1, 20s));
  const PodReport first = cluster.only_pod_of(1);
  const PodReport second = cluster.only_pod_of(2);
  EXPECT_EQ(cluster.evict(first).status, 201);
  EXPECT_EQ(cluster.evict(second).status, 429);
  cluster.sim.clock.advance(19s);
  EXPECT_EQ(cluster.evict(second).status, 429);
  cluster.sim.clock.advance(2s);
  EXPECT_EQ(cluster.evict(second).status, 201);
}

TEST(Eviction, ARefusalNamesTheBudgetAsTheApiServerDoes) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(guarded(1, 1, 0s));
  const json::value status = SmallCluster::body(cluster.evict(cluster.only_pod_of(1)));
  EXPECT_EQ(text_at(status, "kind"), "Status");
  EXPECT_EQ(text_at(status, "reason"), "TooManyRequests");
  EXPECT_EQ(text_at(status, "message"), "Cannot evict pod as it would violate the pod's disruption budget.");
  const json::value& cause = array_at(find(status, "details"), "causes")->at(0);
  EXPECT_EQ(string_at(cause, "reason"), "DisruptionBudget");
  EXPECT_EQ(string_at(cause, "message"),
            "The disruption budget web needs 1 healthy pods and has 1 currently");
}

TEST(Eviction, TwoEvictionsInOneInstantSpendTwoDisruptions) {
  SmallCluster cluster(3);
  cluster.world.add_deployment(guarded(3, 2, 10s));
  const auto pods = cluster.world.pods();
  EXPECT_EQ(cluster.evict(pods[0]).status, 201);
  EXPECT_EQ(cluster.evict(pods[1]).status, 429);
}

TEST(Eviction, ATerminatingPodPassesAnyBudget) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(guarded(1, 1, 0s));
  const PodReport pod = cluster.only_pod_of(1);
  (void)cluster.remove(pod);
  EXPECT_EQ(cluster.evict(pod).status, 201);
}

TEST(Eviction, TwoBudgetsForOnePodAreAnError) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(guarded(1, 0, 0s));
  (void)cluster.call("POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
                     R"({"metadata":{"name":"second"},"spec":{"minAvailable":0,"selector":{}}})");
  const auto answer = cluster.evict(cluster.only_pod_of(1));
  EXPECT_EQ(answer.status, 500);
  EXPECT_NE(answer.body.find("more than one PodDisruptionBudget"), std::string::npos);
}

TEST(Eviction, ABudgetThatNobodyHasCountedYetRefuses) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(DeploymentSpec("web", 1));
  (void)cluster.call("POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
                     R"({"metadata":{"name":"late"},"spec":{"maxUnavailable":1,"selector":{}}})");
  const auto answer = cluster.evict(cluster.only_pod_of(1));
  EXPECT_EQ(answer.status, 429);
  EXPECT_NE(answer.body.find("late is still being processed"), std::string::npos);
  cluster.sim.clock.advance(1s);
  EXPECT_EQ(cluster.evict(cluster.only_pod_of(1)).status, 201);
}

TEST(Eviction, DryRunAsksTheBudgetAndEvictsNothing) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(guarded(1, 0, 0s));
  const PodReport pod = cluster.only_pod_of(1);
  EXPECT_EQ(cluster.evict(pod, R"({"dryRun":["All"]})").status, 201);
  EXPECT_FALSE(cluster.only_pod_of(1).terminating);
}

TEST(Eviction, AnotherPodOfThatNameIsNotEvicted) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(guarded(1, 0, 0s));
  const auto answer = cluster.evict(cluster.only_pod_of(1), R"({"preconditions":{"uid":"another"}})");
  EXPECT_EQ(answer.status, 409);
  EXPECT_NE(answer.body.find("the UID in the precondition (another) does not match"), std::string::npos);
  EXPECT_FALSE(cluster.only_pod_of(1).terminating);
}

TEST(Eviction, APodThatIsGoneIsNotFound) {
  SmallCluster cluster(1);
  PodReport pod;
  pod.pod_namespace = "default";
  pod.name = "nobody";
  const auto answer = cluster.evict(pod);
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "message"), "pods \"nobody\" not found");
}

TEST(Eviction, TheJournalTellsWhichPodWasEvictedAndFromWhere) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(guarded(1, 1, 0s));
  const PodReport pod = cluster.only_pod_of(1);
  (void)cluster.evict(pod);
  const JournalEntry& entry = cluster.journal.entries().back();
  EXPECT_EQ(entry.operation, "pods.evict");
  EXPECT_EQ(entry.subject, "default/" + pod.name);
  EXPECT_EQ(entry.outcome, "429");
  EXPECT_EQ(entry.details.at("uid"), pod.uid.str());
  EXPECT_EQ(entry.details.at("node"), "node-1");
}

TEST(PodDeletion, HoldsToTheUidOfItsPrecondition) {
  SmallCluster cluster(1);
  cluster.world.add_deployment(guarded(1, 1, 0s));
  const PodReport pod = cluster.only_pod_of(1);
  EXPECT_EQ(cluster.remove(pod, R"({"preconditions":{"uid":"another"}})").status, 409);
  EXPECT_FALSE(cluster.only_pod_of(1).terminating);
  EXPECT_EQ(cluster.remove(pod, fmt::format(R"({{"preconditions":{{"uid":"{}"}}}})", pod.uid.str())).status,
            200);
  EXPECT_TRUE(cluster.only_pod_of(1).terminating);
}

}  // namespace
}  // namespace ferryman::sandbox
