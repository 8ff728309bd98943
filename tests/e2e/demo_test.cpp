// SPDX-License-Identifier: Apache-2.0
// The README's first command.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "e2e/stage.h"

namespace ferryman::e2e {
namespace {

using namespace std::chrono_literals;

/// The processes whose parent is this one.
std::set<pid_t> children_of(pid_t parent) {
  const std::string task = std::to_string(parent);
  std::istringstream numbers(read_file("/proc/" + task + "/task/" + task + "/children"));
  std::set<pid_t> children;
  for (pid_t child = 0; numbers >> child;) children.insert(child);
  return children;
}

/// Neither gone nor dead and not reaped yet.
bool is_at_work(pid_t pid) {
  const std::string stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  const auto name_end = stat.rfind(") ");
  return name_end != std::string::npos && stat.at(name_end + 2) != 'Z';
}

class Demo : public testing::Test {
 protected:
  json::value report() const {
    auto parsed = parse_json(read_file(folder.path("report.json")));
    return parsed ? std::move(*parsed) : json::value();
  }
  std::vector<std::string> flags(std::vector<std::string> more) const {
    std::vector<std::string> out{"demo", "--nodes=12", "--terminate=5",
                                 "--report=" + folder.path("report.json").string()};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }

  const Folder folder;
};

TEST_F(Demo, FiveOfTwelveNodesEndAndTheReportSaysSo) {
  Process demo(flags({"--pod-end=1s", "--pod-ready=1s"}), {}, folder.path("demo.out"));
  ASSERT_EQ(demo.wait(30s), 0) << demo.output();
  const json::value said = report();
  EXPECT_EQ(integer_at(&said, "terminations"), 5);
  EXPECT_EQ(integer_at(&said, "hooks_completed"), 5);
  EXPECT_EQ(integer_at(&said, "pods_evicted"), 50);
  EXPECT_EQ(integer_at(&said, "targets_deregistered"), 0);
  EXPECT_EQ(integer_at(&said, "messages_left"), 0);
  EXPECT_EQ(integer_at(find(said, "aws_calls"), "autoscaling.CompleteLifecycleAction"), 5);
  EXPECT_GE(integer_at(find(said, "aws_calls"), "sqs.ReceiveMessage").value_or(0), 1);
  EXPECT_GE(integer_at(find(said, "kubernetes_calls"), "nodes.patch").value_or(0), 5);
  for (const char* phase : {"cordon", "drain", "complete", "whole"})
    EXPECT_NE(find(find(said, "phase_seconds"), phase), nullptr) << phase;
  ASSERT_NE(array_at(&said, "broken_promises"), nullptr);
  EXPECT_TRUE(array_at(&said, "broken_promises")->empty());
  EXPECT_NE(demo.output().find("5 of 5 nodes ended with their hook completed"), std::string::npos);
}

TEST_F(Demo, NodesLeaveTheirLoadBalancersInOrderAndTheReportShowsIt) {
  std::ofstream(folder.path("world.yaml")) << "deregistrationDelay: 4s\n";
  Process demo(flags({"--pod-end=1s", "--pod-ready=1s", "--target-groups=20", "--classic-elbs=2",
                      "--continued-service=2s", "--continued-service-network=6s",
                      "--scenario=" + folder.path("world.yaml").string()}),
               {}, folder.path("demo.out"));
  ASSERT_EQ(demo.wait(60s), 0) << demo.output();
  const json::value said = report();
  EXPECT_EQ(integer_at(&said, "hooks_completed"), 5);
  EXPECT_EQ(integer_at(&said, "targets_deregistered"), 5 * 27);  // some groups have two ports
  EXPECT_EQ(integer_at(&said, "left_before_eviction"), 5);
  EXPECT_EQ(integer_at(&said, "let_go_before_completion"), 5);
  EXPECT_TRUE(array_at(&said, "broken_promises")->empty());
  EXPECT_LE(integer_at(find(said, "aws_calls"), "elbv2.DeregisterTargets").value_or(100), 40);
}

// Nobody waits for pods that take longer than the demo: that breaks no promise, and is no success either.
TEST_F(Demo, WhoGivesUpSaysWhatIsNotFinishedAndTheExitStatusSaysSo) {
  Process demo(flags({"--pod-end=25s", "--timeout=3s"}), {}, folder.path("demo.out"));
  ASSERT_EQ(demo.wait(20s), 1) << demo.output();
  const json::value said = report();
  ASSERT_NE(array_at(&said, "broken_promises"), nullptr);
  EXPECT_TRUE(array_at(&said, "broken_promises")->empty());
  EXPECT_TRUE(bool_at(&said, "gave_up"));
  EXPECT_EQ(array_at(&said, "unfinished")->size(), 5U);
  EXPECT_EQ(integer_at(&said, "hooks_completed"), 0);
  EXPECT_NE(demo.output().find("gave up after 3s (--timeout); not finished: ip-"), std::string::npos)
      << demo.output();
}

TEST_F(Demo, WhatWasNotKeptIsNamedAndTheExitStatusSaysSo) {
  Process demo(flags({"--heartbeat-timeout=30s", "--aws-rights=sqs:*, ec2:*, autoscaling:Terminate*",
                      "--timeout=60s"}),
               {}, folder.path("demo.out"));
  ASSERT_EQ(demo.wait(90s), 1) << demo.output();
  const json::value said = report();
  ASSERT_NE(array_at(&said, "broken_promises"), nullptr);
  EXPECT_GE(array_at(&said, "broken_promises")->size(), 5U);
  EXPECT_NE(demo.output().find("timed out"), std::string::npos) << demo.output();
}

TEST_F(Demo, ForeignInstancesEndBesideAndTheirEventsAreGivenBack) {
  Process demo(flags({"--foreign-instances=2", "--pod-end=1s", "--pod-ready=1s"}), {},
               folder.path("demo.out"));
  ASSERT_EQ(demo.wait(30s), 0) << demo.output();
  const json::value said = report();
  EXPECT_EQ(integer_at(&said, "foreign_events"), 2);
  EXPECT_EQ(integer_at(&said, "foreign_given_back"), 2);
  EXPECT_EQ(integer_at(&said, "messages_left"), 0);
  EXPECT_TRUE(array_at(&said, "broken_promises")->empty());
}

// Budgets that allow nothing: only the daemon's delete phase ends the drain in time.
TEST_F(Demo, TheDaemonsSettingsAreTakenAndRefusingBudgetsAreShown) {
  Process demo(flags({"--min-available=100", "--max-termination-time=2m", "--delete-phase-at=5",
                      "--pod-end=1s", "--pod-ready=1s", "--env-file=" + folder.path("demo.env").string()}),
               {}, folder.path("demo.out"));
  ASSERT_TRUE(eventually(15s, [&] { return demo.output().find("control http://") != std::string::npos; }));
  EXPECT_NE(read_file(folder.path("demo.env")).find("export FERRYMAN_SANDBOX_CONTROL="), std::string::npos);
  ASSERT_EQ(demo.wait(60s), 0) << demo.output();
  EXPECT_NE(demo.output().find("draining, 10 pods left, budgets refuse "), std::string::npos)
      << demo.output();
  EXPECT_FALSE(std::filesystem::exists(folder.path("demo.env")));
}

TEST_F(Demo, KilledItTakesItsDaemonAlong) {
  Process demo(flags({}), {}, folder.path("demo.out"));
  ASSERT_TRUE(eventually(15s, [&] { return demo.output().find("nodes end now") != std::string::npos; }));
  const auto children = children_of(demo.pid());
  ASSERT_EQ(children.size(), 1U);
  demo.signal(SIGKILL);
  EXPECT_TRUE(eventually(10s, [&] { return !is_at_work(*children.begin()); }));
}

TEST_F(Demo, ADaemonsLogThatIsLostIsNoticed) {
  Process demo(flags({"--daemon-log=/dev/full", "--pod-end=1s", "--pod-ready=1s"}), {},
               folder.path("demo.out"));
  EXPECT_EQ(demo.wait(30s), 1);
  EXPECT_NE(demo.output().find("setting daemon-log: /dev/full cannot be written"), std::string::npos)
      << demo.output();
}

TEST_F(Demo, InterruptedItLeavesNoProcessBehind) {
  Process demo(flags({}), {}, folder.path("demo.out"));
  ASSERT_TRUE(eventually(15s, [&] { return demo.output().find("draining") != std::string::npos; }));
  const auto children = children_of(demo.pid());
  EXPECT_EQ(children.size(), 1U);  // the daemon
  demo.signal(SIGINT);
  EXPECT_EQ(demo.wait(15s), 1) << demo.output();
  for (const pid_t child : children) EXPECT_NE(::kill(child, 0), 0) << "process " << child << " is left";
}

TEST_F(Demo, AReportThatCannotBeWrittenIsRefusedBeforeTheRun) {
  Process demo({"demo", "--report=/nonexistent/report.json"}, {}, folder.path("demo.out"));
  EXPECT_EQ(demo.wait(5s), 2);
  EXPECT_NE(
      demo.output().find("setting report: \"/nonexistent/report.json\" from flag --report cannot be written: "
                         "No such file"),
      std::string::npos)
      << demo.output();
  Process into_a_folder({"demo", "--report=" + folder.path("").string()}, {}, folder.path("folder.out"));
  EXPECT_EQ(into_a_folder.wait(5s), 2);
  EXPECT_NE(into_a_folder.output().find("Is a directory; name a file"), std::string::npos)
      << into_a_folder.output();
}

TEST_F(Demo, TimesThatDoNotGoTogetherAreRefusedBeforeTheRun) {
  Process demo({"demo", "--max-termination-time=30s"}, {}, folder.path("demo.out"));
  EXPECT_EQ(demo.wait(5s), 2);
  EXPECT_NE(demo.output().find("setting deadline-margin: 15 s is more than a quarter"), std::string::npos)
      << demo.output();
}

TEST_F(Demo, MoreEndsThanNodesIsRefused) {
  Process demo({"demo", "--nodes=3", "--terminate=5"}, {}, folder.path("demo.out"));
  EXPECT_EQ(demo.wait(5s), 2);
  EXPECT_NE(demo.output().find("set --terminate=3 or less, or add --nodes"), std::string::npos)
      << demo.output();
}

}  // namespace
}  // namespace ferryman::e2e
