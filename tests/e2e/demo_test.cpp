// SPDX-License-Identifier: Apache-2.0
// The README's first command.
#include <gtest/gtest.h>

#include <csignal>
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

// Nobody waits for pods that take longer than the demo.
TEST_F(Demo, WhatWasNotKeptIsNamedAndTheExitStatusSaysSo) {
  Process demo(flags({"--pod-end=25s", "--timeout=3s"}), {}, folder.path("demo.out"));
  ASSERT_EQ(demo.wait(20s), 1) << demo.output();
  const json::value said = report();
  ASSERT_NE(array_at(&said, "broken_promises"), nullptr);
  EXPECT_GE(array_at(&said, "broken_promises")->size(), 5U);
  EXPECT_EQ(integer_at(&said, "hooks_completed"), 0);
  EXPECT_NE(demo.output().find("was never completed"), std::string::npos) << demo.output();
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
  EXPECT_NE(demo.output().find("setting report: /nonexistent/report.json cannot be written: No such file"),
            std::string::npos)
      << demo.output();
}

TEST_F(Demo, MoreEndsThanNodesIsRefused) {
  Process demo({"demo", "--nodes=3", "--terminate=5"}, {}, folder.path("demo.out"));
  EXPECT_EQ(demo.wait(5s), 2);
  EXPECT_NE(demo.output().find("setting terminate: 5"), std::string::npos) << demo.output();
}

}  // namespace
}  // namespace ferryman::e2e
