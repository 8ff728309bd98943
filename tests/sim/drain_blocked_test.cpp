// SPDX-License-Identifier: Apache-2.0
// What keeps pods from going: budgets that cannot or will not allow it, namespaces that end, rights that
// lack.
#include <gtest/gtest.h>

#include "sandbox/kube/eviction_scripts.h"
#include "sim/drain_scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> ten_minutes() {
  return {"--max-termination-time", "10m", "--delete-phase-at", "50"};
}

sandbox::PodSpec scripted(DrainScene& stage, const std::string& name, const std::string& evictions) {
  sandbox::PodSpec spec = stage.pod(name);
  spec.annotations[std::string(sandbox::evictions_annotation)] = evictions;
  return spec;
}

std::size_t events_about(DrainScene& stage, const std::string& reason, const std::string& pod) {
  std::size_t n = 0;
  for (const auto& event : stage.scene.kube().state().objects.list("events")) {
    const json::value* about = find(*event, "involvedObject");
    if (about == nullptr) about = find(*event, "regarding");
    n += string_at(*event, "reason") == reason && string_at(about, "name") == pod ? 1 : 0;
  }
  return n;
}

// Pain 81.
TEST(DrainedMeansGone, AnAcceptedEvictionIsNotTheEndOfItsPod) {
  DrainScene stage;
  sandbox::PodSpec slow = stage.pod("slow");
  slow.behaviour.grace = 120s;
  slow.behaviour.end_time = 100s;
  stage.add(slow);
  stage.end();
  stage.advance(90s);
  EXPECT_EQ(stage.calls_in_words("slow"), "evict ok 120");
  EXPECT_FALSE(stage.completed());
  stage.advance(20s);
  ASSERT_TRUE(stage.completed());
  EXPECT_GE(*stage.completed(), *stage.fact("pod.gone", "default/slow"));
  EXPECT_EQ(stage.scene.broken(), "");
}

// Pain 82.
TEST(TwoBudgets, AreNamedAtOnceAndThePodIsDeletedWhenItsTimeIsOver) {
  DrainScene stage(ten_minutes());
  stage.add(stage.pod("db"));
  stage.budget("one", "db");
  stage.budget("two", "db");
  stage.end();
  stage.advance(20s);
  const std::string blocked = stage.line("eviction.blocked", "default/db");
  EXPECT_NE(blocked.find("default/one, default/two"), std::string::npos) << blocked;
  EXPECT_NE(blocked.find("never=true"), std::string::npos) << blocked;
  EXPECT_EQ(events_about(stage, "PodEvictionBlocked", "db"), 1U);
  stage.advance(4min);
  EXPECT_TRUE(stage.fact("pod.created", "default/db"));
  EXPECT_FALSE(stage.completed());
  stage.advance(60s);
  EXPECT_EQ(stage.calls("db").back().verb, "delete");
  EXPECT_NEAR(stage.calls("db").back().second, 300.0, 3.0);
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST(TwoBudgets, AServerErrorIsNotTakenForThem) {
  DrainScene stage(ten_minutes());
  stage.add(scripted(stage, "web", "500/error,500/error"));
  stage.end();
  stage.advance(30s);
  EXPECT_EQ(stage.calls_in_words("web"), "evict 500 30, evict 500 30, evict ok 30");
  EXPECT_EQ(stage.line("eviction.blocked"), "");
}

// Pain 83.
TEST(CrashLoopingPods, AreDeletedBySettingAndTheOwnersCureIsNamed) {
  DrainScene stage({"--max-termination-time", "30m", "--delete-unready-after", "5m"});
  sandbox::PodSpec crashing = stage.pod("web");
  crashing.behaviour.crash_looping = true;
  stage.add(crashing);
  stage.budget("web", "web");
  stage.advance(2min);
  stage.end();
  stage.advance(20s);
  EXPECT_NE(stage.line("eviction.blocked").find("AlwaysAllow"), std::string::npos)
      << stage.line("eviction.blocked");
  stage.advance(2min);
  EXPECT_EQ(stage.calls("web").back().verb, "evict");
  stage.advance(90s);
  ASSERT_EQ(stage.calls("web").back().verb, "delete") << stage.calls_in_words("web");
  EXPECT_TRUE(stage.completed());
  EXPECT_EQ(stage.scene.broken(), "");
}

// Pain 84.
TEST(OneReplicaThatMustStay, IsNamedAtOnceAsWhatNeverGoes) {
  DrainScene stage(ten_minutes());
  sandbox::DeploymentSpec single("single", 1);
  single.min_available = 1;
  stage.scene.kube().add_deployment(single);
  stage.start();
  for (const InstanceId& id : stage.scene.instances()) stage.scene.cluster().end(id);
  stage.advance(15s);
  const std::string blocked = stage.line("eviction.blocked");
  EXPECT_NE(blocked.find("never=true"), std::string::npos) << blocked;
  EXPECT_NE(blocked.find("run a second replica"), std::string::npos) << blocked;
  EXPECT_NE(blocked.find("default/single"), std::string::npos) << blocked;
}

// Pain 85.
TEST(ThreePhases, EvictionsRespectBudgetsDeletionsDoNotAndForceCutsTheGrace) {
  DrainScene stage({"--max-termination-time", "200s", "--delete-phase-at", "25", "--force-phase-at", "50"});
  sandbox::PodSpec web = stage.pod("web");
  web.behaviour.grace = 80s;
  web.behaviour.end_time = 79s;
  stage.add(web);
  stage.budget("web", "web");
  stage.end();
  stage.advance(3min);
  const auto calls = stage.calls("web");
  ASSERT_GE(calls.size(), 3U) << stage.calls_in_words("web");
  for (std::size_t i = 0; i + 2 < calls.size(); ++i) {
    EXPECT_EQ(calls[i].verb + " " + calls[i].outcome, "evict 429");
    EXPECT_LT(calls[i].second, 50.0);
  }
  EXPECT_EQ(calls[calls.size() - 2].verb + calls[calls.size() - 2].grace, "delete80");
  EXPECT_NEAR(calls[calls.size() - 2].second, 50.0, 2.0);
  EXPECT_EQ(calls.back().verb + calls.back().grace, "delete1");
  EXPECT_NEAR(calls.back().second, 100.0, 2.0);
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST(ThreePhases, GraceZeroOnlyBySetting) {
  DrainScene stage({"--max-termination-time", "200s", "--force-phase-at", "85", "--force-grace-zero"});
  sandbox::PodSpec stuck = stage.pod("stuck");
  stuck.behaviour.stuck = true;
  stage.add(stuck);
  stage.scene.terms().final_deadline = 150s;  // nobody's word is asked for then
  stage.end();
  stage.advance(160s);
  EXPECT_EQ(stage.calls_in_words("stuck"), "evict ok 30");
  stage.advance(20s);
  EXPECT_EQ(stage.calls_in_words("stuck"), "evict ok 30, delete ok 0");
  EXPECT_TRUE(stage.completed());
}

// Pain 86.
TEST(ANamespaceThatEnds, IsWaitedForByUid) {
  DrainScene stage(ten_minutes());
  sandbox::PodSpec web = stage.pod("web");
  web.pod_namespace = "shop";
  const Uid uid = stage.add(web);
  stage.scene.kube().end_namespace("shop", 60s);
  stage.end();
  stage.advance(50s);
  EXPECT_TRUE(stage.there(uid));
  EXPECT_FALSE(stage.completed());
  EXPECT_EQ(stage.line("eviction.denied"), "");
  stage.advance(30s);
  EXPECT_FALSE(stage.there(uid));
  EXPECT_TRUE(stage.completed());
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST(ANamespaceThatEnds, AnyOtherRefusalIsAMissingRightAndSaidOnce) {
  DrainScene stage(ten_minutes());
  stage.add(scripted(stage, "a", "403/rights*"));
  stage.add(scripted(stage, "b", "403/rights*"));
  stage.end();
  stage.advance(9min);
  EXPECT_EQ(stage.replica->logs.with("eviction.denied").size(), 1U);
  EXPECT_EQ(stage.calls("a").back().verb, "delete");
  EXPECT_TRUE(stage.completed());
}

// Pain 87.
TEST(APodThatMoved, IsDoneAndItsSuccessorIsLeftAlone) {
  DrainScene stage(ten_minutes());
  sandbox::PodSpec db = scripted(stage, "db-0", "429*");
  db.owner_kind = "StatefulSet";
  db.annotations[std::string(sandbox::after_eviction_annotation)] = "moved/20/" + stage.node_name(1);
  const Uid first = stage.add(db);
  stage.end();
  stage.advance(2min);
  ASSERT_TRUE(stage.completed());
  EXPECT_LT(*stage.completed(), 60.0);
  for (const PodCall& call : stage.calls("db-0")) {
    if (call.outcome == "ok") {
      EXPECT_EQ(call.uid, first.str());
    }
  }
  EXPECT_EQ(stage.scene.kube().pods_of(stage.scene.instances().at(1)).size(), 2U);
  EXPECT_EQ(stage.scene.broken(), "");
}

}  // namespace
}  // namespace ferryman::sim
