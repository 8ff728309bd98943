// SPDX-License-Identifier: Apache-2.0
// The process ends in the middle of the work, in order or by force; its successor finishes.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>

#include "e2e/stage.h"

namespace ferryman::e2e {
namespace {

using namespace std::chrono_literals;

class Restart : public testing::Test {
 protected:
  Restart() {
    EXPECT_TRUE(daemon_->becomes_ready());
    sandbox_.terminate(sandbox_.instance());
    EXPECT_TRUE(eventually(10s, [this] { return sandbox_.count("pods.evict") >= 1; }));
    EXPECT_EQ(sandbox_.count("hook.completed"), 0U);
  }

  void start_successor() { daemon_ = std::make_unique<Daemon>(folder_, sandbox_.variables()); }

  void expect_one_completion_in_time() {
    EXPECT_TRUE(eventually(30s, [this] { return sandbox_.count("hook.completed") >= 1; }));
    // Killed between the claim and the deletion, the message comes back when its visibility ends; the long
    // poll that the dead process left behind may take it once more before that.
    EXPECT_TRUE(eventually(50s, [this] { return sandbox_.messages_left() == 0; }));
    EXPECT_EQ(sandbox_.count("CompleteLifecycleAction"), 1U);
    EXPECT_EQ(sandbox_.count("hook.timed_out"), 0U);
    EXPECT_EQ(sandbox_.broken_promises(), "");
  }

  const Folder folder_;
  Sandbox sandbox_{
      folder_,
      {"--nodes=2", "--pods-per-node=3", "--min-available=0", "--pod-end=6s", "--heartbeat-timeout=30s"}};
  std::unique_ptr<Daemon> daemon_ = std::make_unique<Daemon>(folder_, sandbox_.variables(),
                                                             std::vector<std::string>{"--shutdown-grace=4s"});
};

TEST_F(Restart, AfterSigtermTheSuccessorFinishes) {
  daemon_->process.signal(SIGTERM);
  EXPECT_EQ(daemon_->process.wait(5s), 0) << daemon_->process.output();
  EXPECT_EQ(sandbox_.count("hook.completed"), 0U);
  start_successor();
  expect_one_completion_in_time();
}

TEST_F(Restart, ASignalThatMeansNothingIsNoEndAndAHangUpIsAnOrderlyOne) {
  daemon_->process.signal(SIGUSR1);
  daemon_->process.signal(SIGUSR2);
  daemon_->process.signal(SIGHUP);
  EXPECT_EQ(daemon_->process.wait(5s), 0) << daemon_->process.output();
  start_successor();
  expect_one_completion_in_time();
}

TEST_F(Restart, AfterSigkillTheSuccessorFinishes) {
  daemon_->process.signal(SIGKILL);
  EXPECT_EQ(daemon_->process.wait(5s), 128 + SIGKILL);
  start_successor();
  EXPECT_TRUE(eventually(5s, [this] { return daemon_->metric("ferryman_terminations_resumed_total") == 1; }));
  expect_one_completion_in_time();
}

}  // namespace
}  // namespace ferryman::e2e
