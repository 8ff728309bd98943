// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class Throttle : public ::testing::Test {
 protected:
  /// How many of 200 calls at once pass; the last refusal is kept.
  template <class Call>
  int passed(Call call) {
    int count = 0;
    for (int i = 0; i < 200; ++i) {
      const net::HttpResponse response = call();
      if (response.status == 200) {
        ++count;
      } else {
        refusal = response;
      }
    }
    return count;
  }
  net::HttpResponse narrowed() {
    return bench.ec2("DescribeInstances",
                     {{"Filter.1.Name", "instance-id"}, {"Filter.1.Value.1", "i-00000000"}});
  }

  AwsBench bench;
  net::HttpResponse refusal;
};

TEST_F(Throttle, Ec2TakesAHundredNarrowedReadsAndHalfAsManyOthers) {
  EXPECT_EQ(passed([this] { return narrowed(); }), 100);
  EXPECT_EQ(refusal.status, 503);
  EXPECT_EQ(xml_at(refusal, "/Response/Errors/Error/Code"), "RequestLimitExceeded");
  EXPECT_EQ(passed([this] { return bench.ec2("DescribeInstances"); }), 50);
  bench.sim.clock.advance(1s);
  EXPECT_EQ(passed([this] { return narrowed(); }), 20);
  EXPECT_EQ(passed([this] { return bench.ec2("DescribeInstances"); }), 10);
}

TEST_F(Throttle, AutoScalingTakesThirtyCalls) {
  EXPECT_EQ(passed([this] { return bench.autoscaling("DescribeAutoScalingGroups"); }), 30);
  EXPECT_EQ(refusal.status, 400);
  EXPECT_EQ(xml_at(refusal, "/ErrorResponse/Error/Code"), "Throttling");
}

TEST_F(Throttle, ANeighbourSpendsItsShareInBursts) {
  bench.world.settings().neighbour = 0.5;
  const auto calls = [this] { return bench.autoscaling("DescribeAutoScalingGroups"); };
  EXPECT_EQ(passed(calls), 15) << "of the thirty";
  bench.sim.clock.advance(2900ms);
  EXPECT_EQ(passed(calls), 29) << "what came in since";
  bench.sim.clock.advance(100ms);
  EXPECT_EQ(passed(calls), 0) << "the neighbour's turn took it";
}

TEST_F(Throttle, HalfTheRatesPassBesideANeighbourThatSpendsTheOtherHalf) {
  bench.world.settings().neighbour = 0.5;
  int refused = 0;
  for (int second = 0; second < 60; ++second) {
    for (int i = 0; i < 5; ++i) {
      refused += bench.autoscaling("DescribeAutoScalingGroups").status == 200 ? 0 : 1;
      bench.sim.clock.advance(200ms);
    }
  }
  EXPECT_EQ(refused, 0);
}

TEST_F(Throttle, SqsHasNoLimit) {
  EXPECT_EQ(passed([this] { return bench.sqs("ListQueues", {}); }), 200);
}

}  // namespace
}  // namespace ferryman::sandbox::test
