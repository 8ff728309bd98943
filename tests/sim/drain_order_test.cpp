// SPDX-License-Identifier: Apache-2.0
// Who goes when: waves, DaemonSet pods last, our own pod after all others, long graces first of all, pods
// that ask to be left alone.
#include <gtest/gtest.h>

#include "sim/drain_scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

double first_call(const DrainScene& stage, const std::string& pod) {
  const auto calls = stage.calls(pod);
  return calls.empty() ? -1 : calls.front().second;
}

double gone(const DrainScene& stage, const std::string& pod) {
  return stage.fact("pod.gone", "default/" + pod).value_or(-1);
}

// Pain 90.
TEST(DaemonSetPods, StayWhateverElseGoes) {
  DrainScene stage;
  stage.add(stage.pod("web"));
  stage.end();
  stage.advance(60s);
  ASSERT_TRUE(stage.completed());
  EXPECT_EQ(stage.scene.count("kubernetes", "pods.delete"), 0U);
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST(DaemonSetPods, SelectedOnesGoByDeleteOnceTheOthersAreGoneAndTheirSuccessorsStay) {
  DrainScene stage({"--delete-daemonset-pods", "app=agent"});
  sandbox::PodSpec web = stage.pod("web");
  web.behaviour.end_time = 20s;
  stage.add(web);
  stage.end();
  stage.advance(90s);
  ASSERT_TRUE(stage.completed());
  std::vector<double> deleted;
  for (const auto& entry : stage.scene.journal().entries()) {
    EXPECT_FALSE(entry.operation == "pods.evict" && entry.subject.starts_with("kube-system/"));
    if (entry.operation == "pods.delete" && entry.subject.starts_with("kube-system/agent"))
      deleted.push_back(seconds(entry.at - stage.began()));
  }
  ASSERT_EQ(deleted.size(), 1U);
  EXPECT_GE(deleted.front(), gone(stage, "web"));
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST(DaemonSetPods, ThatAreNotIgnoredAreNamedAndFailNoDrain) {
  DrainScene stage({"--ignore-daemonsets=false"});
  stage.add(stage.pod("web"));
  stage.end();
  stage.advance(60s);
  EXPECT_TRUE(stage.completed());
  EXPECT_NE(stage.line("pod.report", "kube-system/agent").find("verdict=refuse"), std::string::npos);
  EXPECT_EQ(stage.scene.broken(), "");
}

// Pain 91.
TEST(Waves, EachIsGoneBeforeTheNextIsAsked) {
  DrainScene stage({"--wave-priorities", "1000,2000000000"});
  const auto pod = [&](const std::string& name, std::int32_t priority, const std::string& wave) {
    sandbox::PodSpec spec = stage.pod(name);
    spec.behaviour.priority = priority;
    spec.behaviour.end_time = 15s;
    if (!wave.empty()) spec.labels["ferryman.dev/drain-wave"] = wave;
    stage.add(spec);
  };
  pod("first", 0, "-1");
  pod("web", 0, "");
  pod("storage", 1000, "");
  pod("network", 2'000'000'000, "");
  stage.end();
  stage.advance(3min);
  ASSERT_TRUE(stage.completed());
  EXPECT_GE(first_call(stage, "web"), gone(stage, "first"));
  EXPECT_GE(first_call(stage, "storage"), gone(stage, "web"));
  EXPECT_GE(first_call(stage, "network"), gone(stage, "storage"));
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST(Waves, AreGivenUpWhenTheDeadlineIsNear) {
  DrainScene stage;
  sandbox::PodSpec slow = stage.pod("slow");
  slow.labels["ferryman.dev/drain-wave"] = "-1";
  slow.behaviour.grace = 100s;
  slow.behaviour.end_time = 100s;
  stage.add(slow);
  stage.add(stage.pod("web"));
  stage.scene.terms().ask_margin = 15s;
  stage.end_by_spot();
  stage.advance(3min);
  EXPECT_NEAR(first_call(stage, "web"), 120.0 - 30.0 - 15.0, 3.0);
  EXPECT_EQ(stage.scene.broken(), "");
}

// Pain 92.
TEST(EveryKindOfPod, GoesOrIsLeftForAReasonThatIsSaid) {
  DrainScene stage;
  sandbox::PodSpec bare = stage.pod("bare");
  bare.owner_kind.clear();
  bare.behaviour.empty_dir = true;
  stage.add(bare);
  sandbox::PodSpec data = stage.pod("data");
  data.behaviour.empty_dir = true;
  stage.add(data);
  sandbox::PodSpec pending = stage.pod("pending");
  pending.phase = "Pending";
  stage.add(pending);
  stage.scene.kube().add_mirror_pod(stage.pod("static"));
  stage.end();
  stage.advance(60s);
  ASSERT_TRUE(stage.completed());
  for (const char* name : {"bare", "data", "pending"}) {
    EXPECT_TRUE(stage.fact("pod.gone", std::string("default/") + name)) << name;
    EXPECT_NE(stage.report(name).find("reason=workload"), std::string::npos) << stage.report(name);
  }
  EXPECT_NE(stage.line("pod.report", "default/static-").find("static pod"), std::string::npos);
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST(EveryKindOfPod, WhatASettingRefusesIsNamedAndHoldsNoHook) {
  DrainScene stage({"--delete-emptydir-data=false", "--force=false"});
  sandbox::PodSpec bare = stage.pod("bare");
  bare.owner_kind.clear();
  stage.add(bare);
  sandbox::PodSpec data = stage.pod("data");
  data.behaviour.empty_dir = true;
  stage.add(data);
  stage.add(stage.pod("web"));
  stage.scene.terms().kept_pods = {"default/bare", "default/data"};
  stage.end();
  stage.advance(60s);
  ASSERT_TRUE(stage.completed());
  EXPECT_EQ(stage.calls_in_words("bare") + stage.calls_in_words("data"), "");
  EXPECT_NE(stage.report("bare").find("no controller"), std::string::npos) << stage.report("bare");
  EXPECT_NE(stage.report("data").find("emptyDir"), std::string::npos) << stage.report("data");
  EXPECT_EQ(stage.scene.broken(), "");
}

// Pain 93.
TEST(GraceLongerThanTheNotice, SuchPodsGoAtOnceAndBudgetsHoldTheOthersNoLongerThanTheirGraceAllows) {
  DrainScene stage;
  sandbox::PodSpec slow = stage.pod("slow");
  slow.behaviour.grace = 300s;
  slow.behaviour.end_time = 60s;
  stage.add(slow);
  stage.budget("slow", "slow");
  stage.add(stage.pod("web"));
  stage.budget("web", "web");
  stage.scene.terms().ask_margin = 15s;
  stage.end_by_spot();
  stage.advance(3min);
  EXPECT_LT(*stage.fact("pod.terminating", "default/slow"), 5.0);
  EXPECT_NEAR(*stage.fact("pod.terminating", "default/web"), 120.0 - 30.0 - 15.0, 3.0);
  EXPECT_NE(stage.line("drain.report").find("default/web: deleted against"), std::string::npos)
      << stage.line("drain.report");
  EXPECT_EQ(stage.scene.broken(), "");
}

// Pain 95.
class PodsThatAskForTime : public ::testing::Test {
 protected:
  static sandbox::PodSpec job(DrainScene& stage) {
    sandbox::PodSpec spec = stage.pod("job");
    spec.annotations["ferryman.dev/wait-up-to"] = "5m";
    return spec;
  }
};

TEST_F(PodsThatAskForTime, AreLeftAloneSoLongWhenAGroupShrinks) {
  DrainScene stage;
  stage.add(job(stage));
  stage.add(stage.pod("web"));
  stage.end();
  stage.advance(8min);
  EXPECT_LT(first_call(stage, "web"), 5.0);
  EXPECT_NEAR(first_call(stage, "job"), 300.0, 5.0);
  EXPECT_TRUE(stage.completed());
  EXPECT_EQ(stage.scene.broken(), "");
}

TEST_F(PodsThatAskForTime, AreNotHeardWhenASpotNoticeComes) {
  DrainScene stage;
  stage.add(job(stage));
  stage.end_by_spot();
  stage.advance(10s);
  EXPECT_EQ(stage.calls_in_words("job"), "evict ok 30");
}

TEST_F(PodsThatAskForTime, OrAreForForcedEndsOnlyStayForAMereRecommendation) {
  DrainScene stage({"--on-rebalance-recommendation=drain", "--voluntary-min-age=0s"});
  sandbox::PodSpec singleton = stage.pod("singleton");
  singleton.annotations["ferryman.dev/forced-ends-only"] = "true";
  stage.add(singleton);
  stage.add(stage.pod("web"));
  stage.scene.terms().ignored_kinds.erase("rebalance-recommendation");
  stage.start();
  stage.scene.aws().interruptions().rebalance(stage.instance());
  stage.advance(5min);
  EXPECT_EQ(stage.calls_in_words("web"), "evict ok 30");
  EXPECT_EQ(stage.calls_in_words("singleton"), "");
  stage.scene.aws().interruptions().spot(stage.instance());
  stage.advance(20s);
  EXPECT_EQ(stage.calls_in_words("singleton"), "evict ok 30");
}

// Pain 99.
TEST(OurOwnPod, GoesAfterAllOthersAndTheHookIsCompleted) {
  DrainScene stage({"--pod-namespace", "default", "--pod-name", "ferryman-0"});
  stage.add(stage.pod("ferryman-0"));
  sandbox::PodSpec web = stage.pod("web");
  web.behaviour.end_time = 20s;
  stage.add(web);
  stage.end();
  stage.advance(2min);
  ASSERT_TRUE(stage.completed());
  EXPECT_GE(first_call(stage, "ferryman-0"), gone(stage, "web"));
  EXPECT_EQ(stage.scene.broken(), "");
}

}  // namespace
}  // namespace ferryman::sim
