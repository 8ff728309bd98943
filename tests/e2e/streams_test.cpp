// SPDX-License-Identifier: Apache-2.0
// Standard streams that are closed or full, and the file that points shells at a sandbox.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "e2e/stage.h"

namespace ferryman::e2e {
namespace {

using namespace std::chrono_literals;

std::string target_of(pid_t pid, int descriptor) {
  std::error_code missing;
  return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/fd/" + std::to_string(descriptor),
                                       missing)
      .string();
}

TEST(Streams, AnAnswerThatCannotBeWrittenIsAFailure) {
  Process full({"settings"}, {}, "/dev/full");
  EXPECT_EQ(full.wait(10s), 1);
  const Folder folder;
  Process closed({"version"}, {}, folder.path("out"), Streams::closed);
  EXPECT_EQ(closed.wait(10s), 1);
}

// Else a socket would be standard error, and the log would go to a client.
TEST(Streams, ClosedOnesAreNotTheNumbersOfSockets) {
  const Folder folder;
  const auto env_file = folder.path("sandbox.env");
  Process sandbox({"sandbox", "--nodes=1", "--env-file=" + env_file.string()}, {}, folder.path("out"),
                  Streams::closed);
  ASSERT_TRUE(eventually(10s, [&] { return std::filesystem::exists(env_file); }));
  for (const int stream : {0, 1, 2}) EXPECT_EQ(target_of(sandbox.pid(), stream), "/dev/null") << stream;
}

TEST(EnvFile, IsWholeWhenItAppearsAndGoneWithTheSandbox) {
  const Folder folder;
  const auto env_file = folder.path("sandbox.env");
  Process sandbox({"sandbox", "--nodes=1", "--env-file=" + env_file.string()}, {}, folder.path("out"));
  ASSERT_TRUE(eventually(10s, [&] { return std::filesystem::exists(env_file); }));
  const std::string text = read_file(env_file);
  for (const char* line : {"unset AWS_PROFILE\n", "unset AWS_SESSION_TOKEN\n", "export KUBECONFIG='",
                           "export NO_PROXY='127.0.0.1,localhost'\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_TRUE(text.ends_with("'\n"));
  sandbox.signal(SIGTERM);
  EXPECT_EQ(sandbox.wait(10s), 0);
  EXPECT_FALSE(std::filesystem::exists(env_file));
}

TEST(EnvFile, ThatCannotBeWrittenIsNamedAsItWasGiven) {
  const Folder folder;
  Process sandbox({"sandbox", "--nodes=1", "--env-file=/nonexist/x"}, {}, folder.path("out"));
  EXPECT_EQ(sandbox.wait(10s), 2);
  EXPECT_NE(
      sandbox.output().find("setting env-file from flag --env-file: creating /nonexist/x: No such file"),
      std::string::npos)
      << sandbox.output();
}

}  // namespace
}  // namespace ferryman::e2e
