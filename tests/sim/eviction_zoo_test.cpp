// SPDX-License-Identifier: Apache-2.0
// A node with ten pods, each of which goes, or does not go, in a way of its own. Refused evictions become
// deletions at 60 s, what is left is forced at 90 s, and at 120 s the hook is completed whatever is left.
#include <gtest/gtest.h>

#include "sandbox/kube/eviction_scripts.h"
#include "sim/drain_scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

SceneShape zoo_shape() {
  SceneShape shape = DrainScene::shape_with(
      {"--max-termination-time", "120s", "--delete-phase-at", "50", "--force-phase-at", "75"});
  shape.terms.final_deadline = 119s;
  return shape;
}

class EvictionZoo : public ::testing::Test {
 protected:
  EvictionZoo() : zoo(zoo_shape(), 31) {
    scripted("a", "429,429/8,201", "", 5s);
    zoo.add(zoo.pod("b"));
    zoo.budget("first", "b");
    zoo.budget("second", "b");
    scripted("c", "403*", "gone/20", 5s);
    scripted("d", "404", "", 5s);
    scripted("e-0", "429", "moved/3/" + zoo.node_name(1), 5s);
    zoo.scene.kube().add_mirror_pod(zoo.pod("f"));
    sandbox::PodSpec h = zoo.pod("h");
    h.phase = "Succeeded";
    h.behaviour.empty_dir = true;
    zoo.add(h);
    sandbox::PodSpec i = zoo.pod("i");
    i.owner_kind.clear();
    i.behaviour.empty_dir = true;
    i.behaviour.end_time = 30s;
    i.behaviour.grace = 60s;
    zoo.add(i);
    sandbox::PodSpec j = zoo.pod("j");
    j.behaviour.stuck = true;
    j.behaviour.grace = 600s;
    zoo.add(j);
    zoo.end();
    zoo.advance(150s);
  }

  void scripted(const std::string& name, const std::string& evictions, const std::string& after,
                Duration end) {
    sandbox::PodSpec spec = zoo.pod(name);
    spec.annotations[std::string(sandbox::evictions_annotation)] = evictions;
    if (!after.empty()) spec.annotations[std::string(sandbox::after_eviction_annotation)] = after;
    spec.behaviour.end_time = end;
    zoo.add(spec);
  }

  DrainScene zoo;
};

TEST_F(EvictionZoo, BreaksNoPromise) {
  EXPECT_EQ(zoo.scene.broken(), "");
}

TEST_F(EvictionZoo, ABackOffIsKeptAndRetryAfterIsObeyed) {
  const auto calls = zoo.calls("a");
  ASSERT_EQ(calls.size(), 3U) << zoo.calls_in_words("a");
  EXPECT_EQ(calls[2].outcome, "ok");
  EXPECT_GE(calls[2].second - calls[1].second, 8.0);
  EXPECT_LT(calls[2].second, 30.0);
}

TEST_F(EvictionZoo, APodUnderTwoBudgetsIsDeletedWhenItsTimeIsOverAndBothAreNamed) {
  const auto calls = zoo.calls("b");
  ASSERT_FALSE(calls.empty());
  EXPECT_EQ(calls.front().outcome, "500");
  EXPECT_EQ(calls.back().verb, "delete");
  EXPECT_NEAR(calls.back().second, 60.0, 2.0) << zoo.calls_in_words("b") << zoo.report("b");
  for (const char* budget : {"default/first", "default/second"}) {
    EXPECT_NE(zoo.report("b").find(budget), std::string::npos) << zoo.report("b");
  }
}

TEST_F(EvictionZoo, APodOfANamespaceThatEndsIsWaitedFor) {
  for (const PodCall& call : zoo.calls("c")) EXPECT_EQ(call.verb, "evict");
  EXPECT_LE(zoo.calls("c").size(), 2U) << zoo.calls_in_words("c");
  EXPECT_NEAR(*zoo.fact("pod.gone", "default/c"), 20.0, 2.0);
  EXPECT_NE(zoo.report("c"), "");
}

TEST_F(EvictionZoo, WhatIsGoneOrCameBackElsewhereIsNotAskedAgain) {
  EXPECT_EQ(zoo.calls("d").size(), 1U) << zoo.calls_in_words("d");
  ASSERT_FALSE(zoo.calls("e-0").empty());
  const double moved = *zoo.fact("pod.gone", "default/e-0");
  for (const PodCall& call : zoo.calls("e-0")) EXPECT_LE(call.second, moved);
  for (const auto& pod : zoo.scene.kube().pods()) {
    if (pod.name == "e-0") {
      EXPECT_FALSE(pod.terminating);
    }
  }
}

TEST_F(EvictionZoo, StaticPodsAndDaemonSetPodsGetNoCall) {
  for (const auto& entry : zoo.scene.journal().entries()) {
    const bool asks = entry.operation == "pods.evict" || entry.operation == "pods.delete";
    const bool theirs = entry.subject.starts_with("kube-system/") || entry.subject.starts_with("default/f-");
    EXPECT_FALSE(asks && theirs) << entry.subject;
  }
}

TEST_F(EvictionZoo, ABarePodWithLocalDataGoesWithinItsGrace) {
  EXPECT_EQ(zoo.calls_in_words("i"), "evict ok 60");
  EXPECT_NEAR(*zoo.fact("pod.gone", "default/i"), 30.0, 3.0);
}

TEST_F(EvictionZoo, WhatNeverEndsIsForcedAndNamedWhenTheHookIsCompletedNotBefore) {
  const auto calls = zoo.calls("j");
  ASSERT_FALSE(calls.empty());
  EXPECT_EQ(calls.front().verb, "evict");
  EXPECT_EQ(calls.front().grace, "600");
  const auto forced =
      std::find_if(calls.begin(), calls.end(), [](const PodCall& call) { return call.grace == "1"; });
  ASSERT_NE(forced, calls.end()) << zoo.calls_in_words("j");
  EXPECT_NEAR(forced->second, 90.0, 2.0);
  ASSERT_TRUE(zoo.completed());
  EXPECT_NEAR(*zoo.completed(), 120.0, 2.0);
  EXPECT_NE(zoo.line("drain.report").find("default/j"), std::string::npos) << zoo.line("drain.report");
}

TEST_F(EvictionZoo, TheReportHasOneLinePerPodWithItsReason) {
  for (const char* name : {"a", "b", "c", "d", "e-0", "h", "i", "j"}) {
    EXPECT_EQ(zoo.replica->logs.with(std::string("pod.report")).empty(), false);
    EXPECT_NE(zoo.report(name).find("reason="), std::string::npos) << name;
  }
  // With the static pod and the daemon set's.
  EXPECT_EQ(zoo.replica->logs.with("pod.report").size(), 10U);
}

}  // namespace
}  // namespace ferryman::sim
