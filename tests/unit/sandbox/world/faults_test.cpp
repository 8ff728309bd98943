// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/sandbox/world/world_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

double elapsed_since(const WorldBench& bench, SteadyTime start) {
  return seconds(bench.sim.clock.now() - start);
}

TEST(Faults, OrderedErrorComesInTheServicesOwnForm) {
  WorldBench bench;
  bench.order(R"({"service":"sqs","operation":"ListQueues","kind":"error"})");
  bench.order(R"({"service":"ec2","kind":"error","code":"Unavailable","status":503})");
  bench.order(R"({"service":"kubernetes","operation":"nodes.list","kind":"error"})");
  const auto sqs = bench.list_queues();
  EXPECT_EQ(sqs->status, 500);
  EXPECT_EQ(sqs->headers.get("x-amzn-query-error"), "InternalFailure;Receiver");
  const auto ec2 = bench.query("Action=DescribeInstances&Version=2016-11-15");
  EXPECT_EQ(ec2->status, 503);
  EXPECT_NE(ec2->body.find("<Response><Errors><Error><Code>Unavailable</Code>"), std::string::npos)
      << ec2->body;
  const auto kubernetes = bench.nodes();
  EXPECT_EQ(kubernetes->status, 500);
  EXPECT_EQ(string_at(*parse_json(kubernetes->body), "kind"), "Status");
}

TEST(Faults, ThrottlingIsEachServicesOwn) {
  WorldBench bench;
  bench.order(R"({"kind":"throttle"})");
  EXPECT_NE(bench.query("Action=DescribeInstances&Version=2016-11-15")->body.find("RequestLimitExceeded"),
            std::string::npos);
  const auto groups = bench.query("Action=DescribeAutoScalingGroups&Version=2011-01-01");
  EXPECT_NE(groups->body.find("<Code>Throttling</Code>"), std::string::npos) << groups->body;
  const auto kubernetes = bench.nodes();
  EXPECT_EQ(kubernetes->status, 429);
  EXPECT_EQ(kubernetes->headers.get("Retry-After"), "1");
}

TEST(Faults, StrikesTheNthCallOnly) {
  WorldBench bench;
  bench.order(R"({"service":"sqs","kind":"error","nth":2})");
  EXPECT_EQ(bench.list_queues()->status, 200);
  EXPECT_EQ(bench.list_queues()->status, 500);
  EXPECT_EQ(bench.list_queues()->status, 200);
}

TEST(Faults, StrikesSoManyTimesAfterSoManyCalls) {
  WorldBench bench;
  bench.order(R"({"service":"sqs","kind":"error","skip":1,"count":2})");
  std::vector<int> statuses;
  for (int i = 0; i < 5; ++i) statuses.push_back(bench.list_queues()->status);
  EXPECT_EQ(statuses, (std::vector<int>{200, 500, 500, 200, 200}));
}

TEST(Faults, HangLastsUntilTheClientGivesUp) {
  WorldBench bench;
  bench.order(R"({"service":"sqs","kind":"hang"})");
  const SteadyTime start = bench.sim.clock.now();
  EXPECT_EQ(bench.list_queues().error().fault, Fault::deadline);
  EXPECT_EQ(elapsed_since(bench, start), 30);
}

TEST(Faults, DelayedAnswerIsTheRightOne) {
  WorldBench bench;
  bench.order(R"({"service":"sqs","kind":"delay","delay_ms":2500})");
  const SteadyTime start = bench.sim.clock.now();
  EXPECT_EQ(bench.list_queues()->status, 200);
  EXPECT_EQ(elapsed_since(bench, start), 2.5);
}

TEST(Faults, ResetAndCutOffAreTransportErrors) {
  WorldBench bench;
  bench.order(R"({"service":"sqs","kind":"reset","count":1})");
  bench.order(R"({"service":"kubernetes","kind":"cut-off","count":1})");
  EXPECT_EQ(bench.list_queues().error().fault, Fault::transport);
  EXPECT_EQ(bench.nodes().error().fault, Fault::transport);
  EXPECT_EQ(bench.nodes()->status, 200);
}

TEST(Faults, CallMayTakeEffectAlthoughTheClientHearsAnError) {
  WorldBench bench;
  const std::string terminate =
      "Action=TerminateInstanceInAutoScalingGroup&Version=2011-01-01&ShouldDecrementDesiredCapacity=true&"
      "InstanceId=" +
      bench.first_instance().str();
  const auto state = [&] { return bench.world.aws().groups().find("workers-1")->members.begin()->second; };
  bench.order(R"({"service":"autoscaling","kind":"error","nth":1})");
  EXPECT_EQ(bench.query(terminate)->status, 500);
  EXPECT_EQ(state(), "InService");
  bench.order(R"({"service":"autoscaling","kind":"error","nth":1,"takes_effect":true})");
  EXPECT_EQ(bench.query(terminate)->status, 500);
  EXPECT_EQ(state(), "Terminating");
}

TEST(Faults, WholeListCanBeTakenBack) {
  WorldBench bench;
  bench.order(R"({"service":"sqs","kind":"error"})");
  bench.order(R"({"service":"ec2","kind":"error"})");
  EXPECT_EQ(bench.call_control("DELETE", "faults/1").status, 200);
  EXPECT_EQ(bench.list_queues()->status, 200);
  EXPECT_EQ(bench.call_control("DELETE", "faults").status, 200);
  EXPECT_EQ(bench.query("Action=DescribeInstances&Version=2016-11-15")->status, 200);
}

}  // namespace
}  // namespace ferryman::sandbox::test
