// SPDX-License-Identifier: Apache-2.0
// One node out, by the built binary over sockets, and what the probes say meanwhile.
#include <gtest/gtest.h>

#include <csignal>

#include "e2e/stage.h"

namespace ferryman::e2e {
namespace {

using namespace std::chrono_literals;

// Small enough to be over in seconds: every pod may go at once.
std::vector<std::string> quick(std::vector<std::string> more = {}) {
  std::vector<std::string> flags{"--nodes=3", "--pods-per-node=4", "--min-available=0", "--pod-end=1s"};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Termination, NodeGoesAndEveryPromiseIsKept) {
  const Folder folder;
  Sandbox sandbox(folder, quick());
  Daemon daemon(folder, sandbox.variables());
  ASSERT_TRUE(daemon.becomes_ready());
  sandbox.terminate(sandbox.instance());
  ASSERT_TRUE(eventually(15s, [&] { return sandbox.count("hook.completed") == 1; }));
  ASSERT_TRUE(eventually(5s, [&] { return sandbox.messages_left() == 0; }));
  EXPECT_EQ(sandbox.broken_promises(), "");
  EXPECT_EQ(sandbox.count("pods.evict"), 4U);
  EXPECT_TRUE(daemon.process.running());
  EXPECT_EQ(daemon.probe("/healthz").status, 200);
  daemon.process.signal(SIGTERM);
  EXPECT_EQ(daemon.process.wait(5s), 0);
}

TEST(Termination, ForeignInstancesMessageIsLeftForItsOwner) {
  const Folder folder;
  Sandbox sandbox(folder, quick({"--foreign-instances=1"}));
  Daemon daemon(folder, sandbox.variables());
  ASSERT_TRUE(daemon.becomes_ready());
  std::string foreign;
  for (const json::value& instance : sandbox.list("state", "instances")) {
    if (string_at(instance, "group") == "other-cluster") foreign = string_at(instance, "id");
  }
  sandbox.terminate(foreign);
  sandbox.terminate(sandbox.instance());
  ASSERT_TRUE(eventually(15s, [&] { return sandbox.count("hook.completed") == 1; }));
  EXPECT_TRUE(eventually(5s, [&] { return sandbox.count("ChangeMessageVisibilityBatch") >= 1; }));
  EXPECT_EQ(sandbox.messages_left(), 1);
  EXPECT_EQ(sandbox.broken_promises(), "");
}

TEST(Probes, ReadinessNamesWhatIsMissing) {
  const Folder folder;
  Sandbox sandbox(folder, quick());
  const auto queue = sandbox.add_fault(R"({"service":"sqs","kind":"error","status":503})");
  const auto nodes = sandbox.add_fault(R"({"operation":"nodes.list","kind":"error","status":503})");
  Daemon daemon(folder, sandbox.variables());
  const auto reasons = [&] { return daemon.probe("/readyz"); };
  EXPECT_EQ(daemon.probe("/healthz").status, 200);
  EXPECT_TRUE(eventually(5s, [&] {
    const auto answer = reasons();
    return answer.status == 503 && contains(answer.body, "queue: ") && contains(answer.body, "nodes: ");
  })) << reasons().body;
  EXPECT_EQ(daemon.metric("ferryman_ready"), 0);
  sandbox.remove_fault(nodes);
  EXPECT_TRUE(eventually(10s, [&] { return !contains(reasons().body, "nodes: "); })) << reasons().body;
  EXPECT_EQ(reasons().status, 503);
  sandbox.remove_fault(queue);
  EXPECT_TRUE(daemon.becomes_ready()) << reasons().body;
  EXPECT_EQ(daemon.metric("ferryman_ready"), 1);
}

TEST(Probes, MetricsAndStatusPageFollowATermination) {
  const Folder folder;
  Sandbox sandbox(folder, quick({"--pod-end=3s"}));
  Daemon daemon(folder, sandbox.variables());
  ASSERT_TRUE(daemon.becomes_ready());
  const std::string id = sandbox.instance();
  EXPECT_EQ(daemon.metric("ferryman_nodes"), 3);
  EXPECT_EQ(daemon.metric("ferryman_completions_total"), 0);
  EXPECT_FALSE(contains(daemon.probe("/").body, id));
  sandbox.terminate(id);
  EXPECT_TRUE(eventually(5s, [&] { return daemon.metric("ferryman_terminations_running") == 1; }));
  EXPECT_TRUE(contains(daemon.probe("/").body, id));
  EXPECT_TRUE(eventually(15s, [&] { return daemon.metric("ferryman_completions_total") == 1; }));
  EXPECT_EQ(daemon.metric("ferryman_pods_evicted_total"), 4);
  EXPECT_TRUE(eventually(5s, [&] { return daemon.metric("ferryman_terminations_running") == 0; }));
  const auto page = daemon.probe("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(contains(page.body, id) && contains(page.body, "completed")) << page.body;
}

}  // namespace
}  // namespace ferryman::e2e
