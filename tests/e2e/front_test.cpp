// SPDX-License-Identifier: Apache-2.0
// HTTP/2 to the API server, through HAProxy.
#include "e2e/front.h"

#include <gtest/gtest.h>

#include <memory>

#include "e2e/stage.h"

namespace ferryman::e2e {
namespace {

using namespace std::chrono_literals;

class BehindHaproxy : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::Haproxy::installed()) GTEST_SKIP() << "haproxy is not installed";
  }
  void start(const std::vector<std::string>& sandbox_flags) {
    sandbox = std::make_unique<Sandbox>(folder, sandbox_flags);
    Variables variables = sandbox->variables();
    front.open(variables["KUBECONFIG"]);
    variables["KUBECONFIG"] = front.kubeconfig(variables["KUBECONFIG"]);
    daemon = std::make_unique<Daemon>(folder, variables, std::vector<std::string>{"--call-timeout=2s"});
    ASSERT_TRUE(daemon->becomes_ready()) << daemon->probe("/readyz").body;
  }
  std::size_t heartbeats() { return sandbox->count("RecordLifecycleActionHeartbeat"); }
  bool over(Duration within) {
    return eventually(within,
                      [&] { return sandbox->count("hook.completed") == 1 && sandbox->messages_left() == 0; });
  }

  const Folder folder;
  Front front{folder};
  std::unique_ptr<Sandbox> sandbox;
  std::unique_ptr<Daemon> daemon;
};

TEST_F(BehindHaproxy, NodeGoes) {
  start({"--nodes=3", "--pods-per-node=4", "--min-available=0", "--pod-end=1s"});
  sandbox->terminate(sandbox->instance());
  EXPECT_TRUE(over(15s));
  EXPECT_EQ(sandbox->broken_promises(), "");
}

TEST_F(BehindHaproxy, WhileTheApiServerIsSilentHeartbeatsGoOnAndThenTheWork) {
  start({"--nodes=2", "--pods-per-node=3", "--min-available=0", "--pod-end=3s", "--heartbeat-timeout=30s"});
  sandbox->terminate(sandbox->instance());
  ASSERT_TRUE(eventually(10s, [&] { return sandbox->count("pods.evict") >= 1; }));
  front.freeze();
  EXPECT_TRUE(eventually(15s, [&] { return heartbeats() == 1; }));
  EXPECT_EQ(daemon->probe("/healthz").status, 200);
  EXPECT_EQ(sandbox->count("hook.completed"), 0U);  // nobody could confirm that the pods are gone
  front.thaw();
  EXPECT_TRUE(over(15s)) << daemon->process.output();
  EXPECT_EQ(sandbox->broken_promises(), "");
}

}  // namespace
}  // namespace ferryman::e2e
