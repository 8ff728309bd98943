// SPDX-License-Identifier: Apache-2.0
#include "app/explain_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

using termination::drain::NodeOutlook;
using termination::drain::PodOutlook;
using termination::drain::Treatment;
using termination::drain::Verdict;

PodOutlook pod(const std::string& name, Verdict verdict) {
  PodOutlook outlook;
  outlook.pod.key.pod_namespace = "shop";
  outlook.pod.key.name = name;
  outlook.verdict = outlook.if_voluntary = verdict;
  return outlook;
}

NodeOutlook node() {
  NodeOutlook node;
  node.node = "n";
  node.pods = {pod("web-1", Verdict(Treatment::evict, "workload")),
               pod("x", Verdict(Treatment::skip, "static pod"))};
  node.pods[0].if_voluntary = Verdict(Treatment::keep, "a protected pod");
  node.pods[0].blocked = "budget shop/web";
  return node;
}

TEST(ExplainNode, EachPodHasALineBelowTheCounts) {
  std::ostringstream out;
  print_outlook(out, node());
  EXPECT_EQ(
      out.str(),
      "Node n has 2 pods: 1 would be asked to go, 0 terminate already, 0 are refused by a setting, 1 stay.\n"
      "evict   shop/web-1 workload; keep for a voluntary end: a protected pod\n"
      "        refused now by budget shop/web\n"
      "skip    shop/x     static pod\n");
}

TEST(ExplainNode, WhatAPodWaitsForStandsBelowIt) {
  NodeOutlook waiting;
  waiting.node = "n";
  waiting.pods = {pod("web-1", Verdict(Treatment::evict, "workload"))};
  waiting.pods[0].wave = 2;
  waiting.pods[0].traffic = true;
  waiting.pods[0].pod.wait_up_to = std::chrono::minutes{45};
  std::ostringstream out;
  print_outlook(out, waiting);
  const std::string text = out.str();
  EXPECT_NE(text.find("\n        in wave 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n        not before the node's load balancers"), std::string::npos) << text;
  EXPECT_NE(text.find("\n        not before 45m after the event"), std::string::npos) << text;
  std::ostringstream objects;
  print_outlook_json(objects, waiting);
  EXPECT_NE(objects.str().find(R"("wave":2,"wait_up_to":"45m","takes_traffic":true)"), std::string::npos)
      << objects.str();
}

TEST(ExplainNode, JsonHasOneObjectAPod) {
  std::ostringstream out;
  print_outlook_json(out, node());
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_NE(
      text.find(
          R"("if_voluntary":{"treatment":"keep","reason":"a protected pod"},"grace":0,"blocked":"budget shop/web"})"),
      std::string::npos)
      << text;
}

TEST(ExplainNode, AMessageAndANodeAreTwoQuestions) {
  test::MemoryFiles files;
  std::ostringstream out;
  std::ostringstream err;
  const Invocation invocation(Environment(), files, out, err);
  EXPECT_EQ(run_command(invocation, {"explain", "message.json", "--node=n"}), exit_settings);
  EXPECT_NE(err.str().find("give one of them"), std::string::npos) << err.str();
}

}  // namespace
}  // namespace ferryman::app
