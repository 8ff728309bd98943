// SPDX-License-Identifier: Apache-2.0
// Pods as targets by their addresses.
#include <gtest/gtest.h>

#include <set>

#include "unit/sandbox/world/world_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class PodTargetsOfAnApp : public ::testing::Test {
 protected:
  static Scenario scenario() {
    Scenario made = WorldBench::small();
    made.deployments = 1;
    made.min_available = 0;
    made.pod_target_groups = 2;
    made.pod_end = 25s;
    return made;
  }
  const TargetGroup& group() { return bench.world.aws().target_groups().all().begin()->second; }
  std::size_t facts(std::string_view operation) {
    std::size_t count = 0;
    for (const JournalEntry& entry : bench.world.journal().entries())
      count += entry.operation == operation ? 1 : 0;
    return count;
  }
  void delete_one_pod() {
    const std::string name = bench.world.kubernetes().pods().front().name;
    ASSERT_TRUE(name.starts_with("shop-1")) << name;
    (void)bench.send(
        net::HttpRequest("DELETE", "https://kubernetes.sandbox/api/v1/namespaces/default/pods/" + name));
  }

  WorldBench bench{scenario()};
};

TEST_F(PodTargetsOfAnApp, EachReadyPodIsATargetFromTheBeginning) {
  EXPECT_EQ(bench.world.aws().target_groups().recipients(group()).size(), 12U);
  EXPECT_EQ(group().targets.begin()->first.id.substr(0, 5), "10.1.");
}

TEST_F(PodTargetsOfAnApp, APodThatEndsIsDeregisteredAtOnceAndServedOnForAWhile) {
  delete_one_pod();
  const auto& targets = bench.world.aws().target_groups();
  EXPECT_EQ(facts("target.draining"), 2U) << "in both groups";
  EXPECT_EQ(targets.recipients(group()).size(), 12U);
  bench.sim.clock.advance(20s);
  EXPECT_EQ(targets.recipients(group()).size(), 12U) << "its replacement serves by now";
  bench.sim.clock.advance(6s);
  EXPECT_EQ(facts("address.freed"), 1U);
  EXPECT_EQ(facts("traffic.lost"), 1U) << "the network balancer still sends to it, a minute at least";
}

TEST_F(PodTargetsOfAnApp, AnObjectBindsEachGroup) {
  const auto answer = bench.send(
      net::HttpRequest("GET", "https://kubernetes.sandbox/apis/elbv2.k8s.aws/v1beta1/targetgroupbindings"));
  const json::value list = *parse_json(answer->body);
  std::set<std::string> bound;
  for (const json::value& item : *array_at(&list, "items"))
    bound.emplace(string_at(find(item, "spec"), "targetGroupARN"));
  std::set<std::string> groups;
  for (const auto& [arn, group] : bench.world.aws().target_groups().all()) groups.insert(arn);
  EXPECT_EQ(bound, groups);
}

TEST_F(PodTargetsOfAnApp, ClientsMayBindToo) {
  net::HttpRequest request(
      "POST", "https://kubernetes.sandbox/apis/elbv2.k8s.aws/v1beta1/namespaces/default/targetgroupbindings");
  request.headers.add("Content-Type", "application/json");
  request.body =
      R"({"apiVersion":"elbv2.k8s.aws/v1beta1","kind":"TargetGroupBinding","metadata":{"name":"mine"},)"
      R"("spec":{"targetGroupARN":"arn:mine","targetType":"ip"}})";
  const auto answer = bench.send(request);
  EXPECT_EQ(answer->status, 201) << answer->body;
  EXPECT_EQ(string_at(find(*parse_json(answer->body), "spec"), "targetGroupARN"), "arn:mine");
}

}  // namespace
}  // namespace ferryman::sandbox::test
