// SPDX-License-Identifier: Apache-2.0
// Pods whose evictions are answered by a script, and pods that never end.
#include <gtest/gtest.h>

#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

class EvictionScript : public ::testing::Test {
 protected:
  PodReport pod(const std::string& evictions, const std::string& after = {}) {
    PodSpec spec;
    spec.name = "e-0";
    spec.node_name = "node-1";
    spec.owner_kind = "StatefulSet";
    spec.annotations[std::string(evictions_annotation)] = evictions;
    if (!after.empty()) spec.annotations[std::string(after_eviction_annotation)] = after;
    cluster.world.add_pod(spec);
    return cluster.world.pods().front();
  }

  std::string cause_of(const net::HttpResponse& answer) {
    const json::value body = SmallCluster::body(answer);
    const json::array* causes = array_at(find(body, "details"), "causes");
    return causes == nullptr ? std::string() : std::string(string_at(causes->at(0), "reason"));
  }

  SmallCluster cluster{2};
};

TEST_F(EvictionScript, AnswersInTurnAndThenAsForAnyPod) {
  const PodReport e = pod("429,429/8,201");
  const auto first = cluster.evict(e);
  EXPECT_EQ(first.status, 429);
  EXPECT_EQ(cause_of(first), "DisruptionBudget");
  const auto second = cluster.evict(e);
  EXPECT_EQ(second.status, 429);
  EXPECT_EQ(cause_of(second), "");
  EXPECT_EQ(second.headers.get("Retry-After"), "8");
  EXPECT_EQ(cluster.evict(e).status, 201);
  EXPECT_TRUE(cluster.world.pods().front().terminating);
  EXPECT_EQ(cluster.evict(e).status, 201);
}

TEST_F(EvictionScript, TheLastAnswerIsRepeatedWhereItSaysSo) {
  const PodReport e = pod("500*");
  for (int i = 0; i < 5; ++i) {
    const auto answer = cluster.evict(e);
    EXPECT_EQ(answer.status, 500);
    EXPECT_NE(answer.body.find("more than one PodDisruptionBudget"), std::string::npos);
  }
}

TEST_F(EvictionScript, ANamespaceThatEndsTakesThePodAlong) {
  const PodReport e = pod("403*", "gone/20");
  const auto answer = cluster.evict(e);
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(cause_of(answer), "NamespaceTerminating");
  cluster.sim.clock.advance(19s);
  EXPECT_EQ(cluster.world.pods().size(), 1U);
  cluster.sim.clock.advance(2s);
  EXPECT_EQ(cluster.end_of(e.uid), "20s kubelet");
}

TEST_F(EvictionScript, OtherRefusalsAreToldApart) {
  const PodReport e = pod("403/rights,403/budget,409,500/error");
  EXPECT_NE(cluster.evict(e).body.find("cannot create resource \\\"pods/eviction\\\""), std::string::npos);
  EXPECT_NE(cluster.evict(e).body.find("poddisruptionbudgets.policy"), std::string::npos);
  EXPECT_EQ(cluster.evict(e).status, 409);
  EXPECT_NE(cluster.evict(e).body.find("InternalError"), std::string::npos);
}

TEST_F(EvictionScript, APodThatIsGoneWhenItIsAsked) {
  const PodReport e = pod("404");
  EXPECT_EQ(cluster.evict(e).status, 404);
  EXPECT_TRUE(cluster.world.pods().empty());
}

TEST_F(EvictionScript, TheNameComesBackOnAnotherNodeUnderAnotherUid) {
  const PodReport e = pod("429", "moved/3/node-2");
  EXPECT_EQ(cluster.evict(e).status, 429);
  cluster.sim.clock.advance(4s);
  const PodReport again = cluster.world.pods().front();
  EXPECT_EQ(again.name, "e-0");
  EXPECT_EQ(again.node_name, "node-2");
  EXPECT_NE(again.uid, e.uid);
  EXPECT_EQ(cluster.evict(e, fmt::format(R"({{"preconditions":{{"uid":"{}"}}}})", e.uid.str())).status, 409);
}

TEST_F(EvictionScript, AStuckPodEndsForNoGraceOnlyByForce) {
  PodSpec spec;
  spec.name = "stuck";
  spec.node_name = "node-1";
  spec.behaviour.stuck = true;
  cluster.world.add_pod(spec);
  const PodReport stuck = cluster.world.pods().front();
  EXPECT_EQ(cluster.evict(stuck).status, 201);
  EXPECT_EQ(cluster.remove(stuck, R"({"gracePeriodSeconds":1})").status, 200);
  cluster.sim.clock.advance(1h);
  EXPECT_EQ(cluster.world.pods().size(), 1U);
  EXPECT_EQ(cluster.remove(stuck, R"({"gracePeriodSeconds":0})").status, 200);
  EXPECT_TRUE(cluster.world.pods().empty());
}

}  // namespace
}  // namespace ferryman::sandbox
