// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/sandbox/aws/balancers_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* left = "OutOfService: Instance is not currently registered with the LoadBalancer.";
constexpr const char* leaving = "InService: Instance deregistration currently in progress.";

TEST(ClassicBalancers, ADeregisteredInstanceStaysInServiceWhileConnectionsDrain) {
  BalancersBench bench;
  bench.classic(30s);
  EXPECT_EQ(bench.classic_health(bench.ids[0]), "InService: N/A");
  const auto answer = bench.with_instance("DeregisterInstancesFromLoadBalancer", bench.ids[0]);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(xml_count(answer, "//Instances/member"), 1U) << "those that are left";
  EXPECT_EQ(xml_count(bench.elb("DescribeLoadBalancers"), "//Instances/member"), 1U);
  bench.sim.clock.advance(29s);
  EXPECT_EQ(bench.classic_health(bench.ids[0]), leaving);
  bench.sim.clock.advance(1s);
  EXPECT_EQ(bench.classic_health(bench.ids[0]), left);
  EXPECT_EQ(bench.classic_health(bench.ids[1]), "InService: N/A");
  EXPECT_EQ(bench.times_of("target.gone"), std::vector{30.0});
}

TEST(ClassicBalancers, WithoutDrainingAnInstanceLeavesAtOnce) {
  BalancersBench bench;
  bench.classic(0s);
  bench.with_instance("DeregisterInstancesFromLoadBalancer", bench.ids[0]);
  EXPECT_EQ(bench.classic_health(bench.ids[0]), left);
  const auto attributes = bench.elb("DescribeLoadBalancerAttributes", {{"LoadBalancerName", "old"}});
  EXPECT_EQ(xml_at(attributes, "//ConnectionDraining/Enabled"), "false");
}

TEST(ClassicBalancers, ANewInstanceIsOutOfServiceForAWhile) {
  BalancersBench bench;
  bench.classic();
  ASSERT_EQ(bench.with_instance("RegisterInstancesWithLoadBalancer", bench.ids[2]).status, 200);
  EXPECT_EQ(bench.classic_health(bench.ids[2]), "OutOfService: Instance registration is still in progress.");
  bench.sim.clock.advance(10s);
  EXPECT_EQ(bench.classic_health(bench.ids[2]), "InService: N/A");
}

TEST(ClassicBalancers, InstancesOfNobodyFailTheWholeCall) {
  BalancersBench bench;
  bench.classic();
  const auto two = [&](const char* action, const std::string& other) {
    const auto answer = bench.elb(action, {{"LoadBalancerName", "old"},
                                           {"Instances.member.1.InstanceId", bench.ids[0].str()},
                                           {"Instances.member.2.InstanceId", other}});
    return xml_at(answer, "/ErrorResponse/Error/Code");
  };
  for (const char* action : {"DescribeInstanceHealth", "DeregisterInstancesFromLoadBalancer",
                             "RegisterInstancesWithLoadBalancer"}) {
    EXPECT_EQ(two(action, "i-0000000000000000f"), "InvalidInstance") << action;
  }
  EXPECT_EQ(two("DeregisterInstancesFromLoadBalancer", bench.ids[2].str()), "InvalidInstance")
      << "it is not registered";
  EXPECT_EQ(bench.classic_health(bench.ids[0]), "InService: N/A") << "all or none";
}

TEST(ClassicBalancers, ARepeatedDeregistrationChangesNothingWhileItDrains) {
  BalancersBench bench;
  bench.classic(30s);
  bench.with_instance("DeregisterInstancesFromLoadBalancer", bench.ids[0]);
  bench.sim.clock.advance(20s);
  EXPECT_EQ(bench.with_instance("DeregisterInstancesFromLoadBalancer", bench.ids[0]).status, 200);
  bench.sim.clock.advance(10s);
  EXPECT_EQ(bench.classic_health(bench.ids[0]), left);
}

TEST(ClassicBalancers, ATerminatedInstanceDropsOutAndIsNotTalkedAbout) {
  BalancersBench bench;
  bench.classic();
  bench.world.instances().shut_down(bench.ids[0]);
  bench.sim.clock.advance(5s);
  const auto answer = bench.with_instance("DescribeInstanceHealth", bench.ids[0]);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(xml_count(answer, "//InstanceStates/member"), 0U);
  bench.sim.clock.advance(1h);
  EXPECT_EQ(xml_at(bench.with_instance("DescribeInstanceHealth", bench.ids[0]), "//Code"), "InvalidInstance")
      << "EC2 has forgotten it";
}

TEST(ClassicBalancers, EachCallKnowsAMissingBalancer) {
  BalancersBench bench;
  bench.classic();
  for (const char* action : {"DescribeInstanceHealth", "DescribeLoadBalancerAttributes",
                             "DeregisterInstancesFromLoadBalancer", "RegisterInstancesWithLoadBalancer"}) {
    EXPECT_EQ(xml_at(bench.elb(action, {{"LoadBalancerName", "none"}}), "//Code"), "LoadBalancerNotFound")
        << action;
  }
  for (const char* action : {"DescribeLoadBalancers", "DescribeTags"}) {
    EXPECT_EQ(xml_at(bench.elb(action, {{"LoadBalancerNames.member.1", "none"}}), "//Code"),
              "LoadBalancerNotFound")
        << action;
  }
}

TEST(ClassicBalancers, PagesHoldEachBalancerOnce) {
  BalancersBench bench;
  for (const char* name : {"a", "b", "c"}) {
    ClassicBalancerSpec spec;
    spec.name = name;
    bench.world.classic_balancers().create(spec);
  }
  const auto first = bench.elb("DescribeLoadBalancers", {{"PageSize", "2"}});
  EXPECT_EQ(xml_count(first, "//LoadBalancerDescriptions/member"), 2U);
  const auto second =
      bench.elb("DescribeLoadBalancers", {{"PageSize", "2"}, {"Marker", xml_at(first, "//NextMarker")}});
  EXPECT_EQ(xml_at(second, "//LoadBalancerName"), "c");
  EXPECT_EQ(xml_at(second, "//NextMarker"), "none");
}

}  // namespace
}  // namespace ferryman::sandbox::test
