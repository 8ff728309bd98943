// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "app/demo_progress.h"
#include "app/demo_report.h"
#include "app/demo_view.h"
#include "base/json.h"
#include "support/simulation.h"

namespace ferryman::app {
namespace {

constexpr const char* instance = "i-0123456789abcdef0";

class DemoTest : public testing::Test {
 protected:
  DemoTest() {
    journal_.fact("node.added", "node-a", {{"instance", instance}});
    pod("pod.created", "u1", "ReplicaSet");
    pod("pod.created", "u2", "ReplicaSet");
    pod("pod.created", "u3", "DaemonSet");
    progress_.update();
    progress_.follow(InstanceId(instance));
  }

  void pod(const std::string& what, const std::string& uid, const std::string& owner) {
    journal_.fact(what, "default/" + uid, {{"uid", uid}, {"node", "node-a"}, {"owner", owner}});
  }

  const NodeProgress& now() {
    progress_.update();
    return progress_.nodes().front();
  }

  void tell() { journal_.fact("message.sent", "m", {{"instance", instance}}); }
  void cordon() { journal_.call("kubernetes", "nodes.patch", "node-a", "ok"); }
  void empty() {
    for (const char* uid : {"u1", "u2"}) {
      journal_.call("kubernetes", "pods.evict", std::string("default/") + uid, "ok");
      pod("pod.terminating", uid, "ReplicaSet");
      sim_.clock.advance(std::chrono::seconds{3});
      pod("pod.gone", uid, "ReplicaSet");
    }
  }
  void complete() { journal_.fact("hook.completed", instance, {{"hook", "drain"}}); }

  test::Simulation sim_;
  sandbox::Journal journal_{sim_.clock};
  DemoProgress progress_{journal_};
};

TEST_F(DemoTest, ANodeGoesThroughItsStages) {
  EXPECT_EQ(now().stage, Stage::serving);
  EXPECT_EQ(now().pods_left, 2U);
  tell();
  EXPECT_EQ(now().stage, Stage::told);
  cordon();
  EXPECT_EQ(now().stage, Stage::cordoned);
  pod("pod.terminating", "u1", "ReplicaSet");
  EXPECT_EQ(now().stage, Stage::draining);
  empty();
  EXPECT_EQ(now().stage, Stage::empty);
  EXPECT_EQ(now().pods_left, 0U);
  EXPECT_FALSE(progress_.all_ended());
  complete();
  EXPECT_EQ(now().stage, Stage::completed);
  EXPECT_TRUE(progress_.all_ended());
}

TEST_F(DemoTest, ARefusedPatchIsNoCordon) {
  tell();
  journal_.call("kubernetes", "nodes.patch", "node-a", "409");
  EXPECT_EQ(now().stage, Stage::told);
}

TEST_F(DemoTest, WhatBudgetsRefuseIsShownAndIsDraining) {
  tell();
  cordon();
  for (const char* uid : {"u1", "u2"})
    journal_.call("kubernetes", "pods.evict", std::string("default/") + uid, "429", {{"uid", uid}});
  EXPECT_EQ(now().stage, Stage::draining);
  EXPECT_EQ(how_far(now()), "draining, 2 pods left, budgets refuse 2");
  journal_.call("kubernetes", "pods.evict", "default/u1", "ok", {{"uid", "u1"}});
  EXPECT_EQ(how_far(now()), "draining, 2 pods left, budgets refuse 1");
  pod("pod.gone", "u2", "ReplicaSet");
  EXPECT_EQ(how_far(now()), "draining, 1 pods left");
}

TEST_F(DemoTest, ForeignMessagesMustGoBackAndAreNotOurs) {
  const std::string foreign = "i-0fedcba9876543210";
  progress_.follow_foreign(InstanceId(foreign));
  tell();
  complete();
  journal_.fact("message.sent", "theirs", {{"instance", foreign}});
  journal_.fact("message.hidden", "theirs", {{"timeout", "20"}});  // held
  progress_.update();
  const DemoReport kept = make_report(progress_, journal_, 1, {});
  EXPECT_EQ(kept.messages_left, 0U);
  EXPECT_FALSE(kept.good());
  EXPECT_NE(kept.what_is_left().find("1 foreign messages not given back"), std::string::npos);
  journal_.fact("message.hidden", "theirs", {{"timeout", "1"}});
  progress_.update();
  const DemoReport given_back = make_report(progress_, journal_, 1, {});
  EXPECT_TRUE(given_back.good());
  EXPECT_NE(report_text(given_back).find("1 events of foreign instances, 1 given back"), std::string::npos);
  const json::value said = *parse_json(report_json(given_back));
  EXPECT_EQ(integer_at(&said, "foreign_given_back"), 1);
}

TEST_F(DemoTest, WhoGivesUpNamesWhatIsNotFinished) {
  tell();
  cordon();
  progress_.update();
  DemoReport report = make_report(progress_, journal_, 1, {});
  report.gave_up = std::chrono::seconds{3};
  EXPECT_FALSE(report.good());
  EXPECT_EQ(report.what_is_left(),
            "gave up after 3s (--timeout); not finished: node-a (cordoned, 2 pods left); 1 message left");
  EXPECT_NE(report_text(report).find("No promise was broken so far"), std::string::npos);
}

TEST_F(DemoTest, AHookThatTimesOutIsNotCompleted) {
  tell();
  journal_.fact("hook.timed_out", instance, {{"hook", "drain"}});
  EXPECT_EQ(now().stage, Stage::timed_out);
  EXPECT_TRUE(progress_.all_ended());
  EXPECT_EQ(progress_.completed(), 0U);
  EXPECT_FALSE(make_report(progress_, journal_, 0, {}).good());
}

TEST_F(DemoTest, TheReportHasItsKeys) {
  tell();
  sim_.clock.advance(std::chrono::seconds{1});
  cordon();
  empty();
  complete();
  progress_.update();
  const DemoReport report = make_report(progress_, journal_, 0, {});
  EXPECT_TRUE(report.good());
  const auto parsed = parse_json(report_json(report));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(integer_at(&*parsed, "terminations"), 1);
  EXPECT_EQ(integer_at(&*parsed, "hooks_completed"), 1);
  EXPECT_EQ(integer_at(&*parsed, "pods_evicted"), 2);
  EXPECT_EQ(integer_at(&*parsed, "targets_deregistered"), 0);
  EXPECT_EQ(integer_at(&*parsed, "messages_left"), 0);
  EXPECT_EQ(integer_at(find(*parsed, "kubernetes_calls"), "nodes.patch"), 1);
  EXPECT_NE(find(*parsed, "aws_calls"), nullptr);
  EXPECT_TRUE(array_at(&*parsed, "broken_promises")->empty());
  const json::value* drain = find(find(*parsed, "phase_seconds"), "drain");
  ASSERT_NE(drain, nullptr);
  EXPECT_DOUBLE_EQ(find(drain, "median")->to_number<double>(), 6.0);
}

TEST_F(DemoTest, MessagesLeftOrABrokenPromiseMakeItBad) {
  tell();
  complete();
  progress_.update();
  EXPECT_FALSE(make_report(progress_, journal_, 1, {}).good());
  const DemoReport broken = make_report(progress_, journal_, 0, {"promise 4: too early"});
  EXPECT_FALSE(broken.good());
  EXPECT_NE(report_text(broken).find("promise 4: too early"), std::string::npos);
}

TEST_F(DemoTest, APipeGetsALinePerChange) {
  std::ostringstream out;
  DemoView view(out, false, sim_.clock.now());
  tell();
  progress_.update();
  view.show(progress_.nodes(), sim_.clock.now());
  view.show(progress_.nodes(), sim_.clock.now());
  EXPECT_EQ(out.str(), "  [   0.0 s] node-a i-0123456789abcdef0: told, 2 pods left\n");
}

TEST_F(DemoTest, APipeIsToldOnceThatBudgetsRefuse) {
  std::ostringstream out;
  DemoView view(out, false, sim_.clock.now());
  tell();
  cordon();
  pod("pod.terminating", "u2", "ReplicaSet");
  progress_.update();
  view.show(progress_.nodes(), sim_.clock.now());
  for (int i = 0; i < 2; ++i) {
    journal_.call("kubernetes", "pods.evict", "default/u1", "429", {{"uid", "u1"}});
    progress_.update();
    view.show(progress_.nodes(), sim_.clock.now());
  }
  const std::string head = "  [   0.0 s] node-a i-0123456789abcdef0: draining, 2 pods left";
  EXPECT_EQ(out.str(), head + "\n" + head + ", budgets refuse 1\n");
}

TEST_F(DemoTest, ATerminalIsRedrawnInPlace) {
  std::ostringstream out;
  DemoView view(out, true, sim_.clock.now());
  view.show(progress_.nodes(), sim_.clock.now());
  EXPECT_EQ(out.str().find("\x1b[1A"), std::string::npos);
  view.show(progress_.nodes(), sim_.clock.now());
  EXPECT_NE(out.str().find("\x1b[1A"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::app
