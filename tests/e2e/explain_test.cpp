// SPDX-License-Identifier: Apache-2.0
// `ferryman explain` as a program: its exit status, and what --live asks a real socket.
#include <gtest/gtest.h>

#include "e2e/stage.h"

namespace ferryman::e2e {
namespace {

using namespace std::chrono_literals;

std::string spot_notice(const std::string& instance) {
  return R"({"version":"0","id":"e1","detail-type":"EC2 Spot Instance Interruption Warning","source":"aws.ec2",)"
         R"("account":"123456789012","time":"2026-03-01T12:00:00Z","region":"us-west-2","resources":[],)"
         R"("detail":{"instance-id":")" +
         instance + R"(","instance-action":"terminate"}})";
}

TEST(Explain, TellsByItsStatusWhetherSomethingWouldBeDone) {
  const Folder folder;
  const std::string notice = folder.write("notice.json", spot_notice("i-0123456789abcdef0"));
  const auto status = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"explain", notice});
    Process explain(flags, {}, folder.path("out"));
    return explain.wait(10s);
  };
  EXPECT_EQ(status({}), 0);
  EXPECT_EQ(status({"--on-spot-interruption=ignore"}), 3);
  EXPECT_EQ(status({"--region=eu-west-1"}), 3);
  EXPECT_EQ(status({"--region"}), 2);
  folder.write("notice.json", "{");
  EXPECT_EQ(status({}), 4);
}

TEST(Explain, AsksLiveWhoseTheInstanceIsAndWritesNothing) {
  const Folder folder;
  Sandbox sandbox(folder, {"--nodes=1"});
  const auto live = [&](const std::string& instance) {
    const std::string notice = folder.write("notice.json", spot_notice(instance));
    Process explain({"explain", "--live", "--output=json", notice}, sandbox.variables(),
                    folder.path(instance));
    const auto status = explain.wait(20s);
    const auto answer = parse_json(explain.output());
    EXPECT_TRUE(answer) << explain.output();
    const std::string owner(answer ? string_at(*answer, "owner") : "none");
    return std::pair(status.value_or(-1), owner);
  };
  EXPECT_EQ(live(sandbox.instance()), std::pair(0, std::string("ours")));
  EXPECT_EQ(live("i-0123456789abcdef0"), std::pair(3, std::string("undecided")));
  EXPECT_GE(sandbox.count("nodes.list"), 2U);
  for (const char* write :
       {"nodes.patch", "pods.evict", "ReceiveMessage", "DeleteMessage", "DeregisterTargets"})
    EXPECT_EQ(sandbox.count(write), 0U) << write;
}

TEST(Explain, ANodeThatIsNotThereIsAFailureWithItsCure) {
  const Folder folder;
  Sandbox sandbox(folder, {"--nodes=1"});
  Process explain({"explain", "--node=nope"}, sandbox.variables(), folder.path("nope"));
  EXPECT_EQ(explain.wait(20s), 1);
  EXPECT_NE(explain.output().find("kubectl get nodes lists the names"), std::string::npos)
      << explain.output();
}

}  // namespace
}  // namespace ferryman::e2e
