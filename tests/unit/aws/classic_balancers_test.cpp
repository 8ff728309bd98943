// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/aws/balancers_world.h"

namespace ferryman::aws {
namespace {

using namespace std::chrono_literals;
using test::answer_of;
using test::BalancersWorld;
using test::refusal;

const std::vector<InstanceId> two = {InstanceId("i-0123456789abcdef0"), InstanceId("i-0123456789abcdef1")};

TEST(ClassicBalancers, AreReadWithTheirInstancesPageByPage) {
  BalancersWorld world;
  world.remote.answer(
      200, answer_of("DescribeLoadBalancers",
                     "<LoadBalancerDescriptions><member><LoadBalancerName>web</LoadBalancerName><Instances>"
                     "<member><InstanceId>i-0123456789abcdef0</InstanceId></member>"
                     "<member><InstanceId>i-0123456789abcdef1</InstanceId></member></Instances></member>"
                     "</LoadBalancerDescriptions><NextMarker>web</NextMarker>"));
  world.remote.answer(200,
                      answer_of("DescribeLoadBalancers",
                                "<LoadBalancerDescriptions><member><LoadBalancerName>idle</LoadBalancerName>"
                                "<Instances/></member></LoadBalancerDescriptions>"));
  const auto balancers = world.sim.run(world.balancers.classic_balancers(world.soon()));
  ASSERT_TRUE(balancers.ok()) << balancers.error().text;
  ASSERT_EQ(balancers->size(), 2U);
  EXPECT_EQ((*balancers)[0].name, "web");
  EXPECT_EQ((*balancers)[0].instances, two);
  EXPECT_EQ((*balancers)[1].name, "idle");
  EXPECT_TRUE((*balancers)[1].instances.empty());
  EXPECT_EQ(world.remote.requests[0].body, "Action=DescribeLoadBalancers&Version=2012-06-01&PageSize=400");
  EXPECT_EQ(world.last().body, "Action=DescribeLoadBalancers&Version=2012-06-01&PageSize=400&Marker=web");
  EXPECT_EQ(world.last().url, "https://elb.test/");
  EXPECT_NE(world.last().headers.get("Authorization").find("/us-west-2/elasticloadbalancing/aws4_request"),
            std::string_view::npos);
}

TEST(ClassicBalancers, HealthTellsADrainingInstanceFromOneThatLeft) {
  BalancersWorld world;
  world.remote.answer(
      200,
      answer_of("DescribeInstanceHealth",
                "<InstanceStates><member><InstanceId>i-0123456789abcdef0</InstanceId><State>InService</State>"
                "<ReasonCode>N/A</ReasonCode><Description>Instance deregistration currently in progress."
                "</Description></member><member><InstanceId>i-0123456789abcdef1</InstanceId>"
                "<State>OutOfService</State><ReasonCode>Instance</ReasonCode><Description>Instance is not "
                "currently registered with the LoadBalancer.</Description></member></InstanceStates>"));
  const auto health = world.sim.run(world.balancers.classic_health("web", two, world.soon()));
  ASSERT_TRUE(health.ok()) << health.error().text;
  ASSERT_EQ(health->size(), 2U);
  EXPECT_EQ((*health)[0].instance_id, two[0]);
  EXPECT_EQ((*health)[0].state, "InService");
  EXPECT_EQ((*health)[0].description, "Instance deregistration currently in progress.");
  EXPECT_EQ((*health)[1].instance_id, two[1]);
  EXPECT_EQ((*health)[1].state, "OutOfService");
  EXPECT_EQ((*health)[1].description, "Instance is not currently registered with the LoadBalancer.");
  EXPECT_EQ(
      world.last().body,
      "Action=DescribeInstanceHealth&Version=2012-06-01&LoadBalancerName=web"
      "&Instances.member.1.InstanceId=i-0123456789abcdef0&Instances.member.2.InstanceId=i-0123456789abcdef1");
}

TEST(ClassicBalancers, DrainingLastsAsLongAsItsTimeoutWhenItIsEnabled) {
  const auto draining = [](const std::string& setting) {
    BalancersWorld world;
    world.remote.answer(200, answer_of("DescribeLoadBalancerAttributes",
                                       "<LoadBalancerAttributes>" + setting + "</LoadBalancerAttributes>"));
    const auto asked = world.sim.run(world.balancers.classic_draining("web", world.soon()));
    EXPECT_EQ(world.last().body,
              "Action=DescribeLoadBalancerAttributes&Version=2012-06-01&LoadBalancerName=web");
    return asked.ok() ? asked->count() : -1;
  };
  EXPECT_EQ(draining("<ConnectionDraining><Enabled>true</Enabled><Timeout>60</Timeout></ConnectionDraining>"),
            60);
  EXPECT_EQ(
      draining("<ConnectionDraining><Enabled>false</Enabled><Timeout>300</Timeout></ConnectionDraining>"), 0);
  EXPECT_EQ(draining(""), 0);
  EXPECT_EQ(draining("<ConnectionDraining><Enabled>true</Enabled></ConnectionDraining>"), -1);
  EXPECT_EQ(draining("<ConnectionDraining><Enabled>true</Enabled><Timeout>-5</Timeout></ConnectionDraining>"),
            -1);
}

TEST(ClassicBalancers, InstancesAreTakenOutAndPutBackByName) {
  BalancersWorld world;
  world.remote.answer(200, answer_of("DeregisterInstancesFromLoadBalancer", "<Instances/>"));
  world.remote.answer(200, answer_of("RegisterInstancesWithLoadBalancer", "<Instances/>"));
  ASSERT_TRUE(world.sim.run(world.balancers.classic_deregister("web", two, world.soon())).ok());
  EXPECT_EQ(
      world.last().body,
      "Action=DeregisterInstancesFromLoadBalancer&Version=2012-06-01&LoadBalancerName=web"
      "&Instances.member.1.InstanceId=i-0123456789abcdef0&Instances.member.2.InstanceId=i-0123456789abcdef1");
  ASSERT_TRUE(world.sim.run(world.balancers.classic_register("web", {two[0]}, world.soon())).ok());
  EXPECT_EQ(world.last().body,
            "Action=RegisterInstancesWithLoadBalancer&Version=2012-06-01&LoadBalancerName=web"
            "&Instances.member.1.InstanceId=i-0123456789abcdef0");
}

TEST(ClassicBalancers, AnUnknownInstanceIsInvalidAndAMissingBalancerNotFound) {
  BalancersWorld world;
  world.remote.answer(400, refusal("InvalidInstance", "Could not find EC2 instance i-0123456789abcdef0."));
  world.remote.answer(400, refusal("LoadBalancerNotFound", "There is no ACTIVE Load Balancer named 'web'"));
  const auto unknown = world.sim.run(world.balancers.classic_health("web", two, world.soon()));
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().fault, Fault::invalid);
  EXPECT_EQ(unknown.error().code, "InvalidInstance");
  const auto missing = world.sim.run(world.balancers.classic_deregister("web", two, world.soon()));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().fault, Fault::not_found);
  EXPECT_EQ(missing.error().text,
            "calling elb DeregisterInstancesFromLoadBalancer: LoadBalancerNotFound: There is no ACTIVE Load "
            "Balancer named 'web'");
}

/// Another service of AWS may be overloaded behind this one.
TEST(ClassicBalancers, AThrottledDependencyIsAskedAgain) {
  BalancersWorld world;
  world.remote.answer(400,
                      refusal("DependencyThrottle", "A request made by Elastic Load Balancing is throttled"));
  world.remote.answer(200, answer_of("DescribeLoadBalancers", "<LoadBalancerDescriptions/>"));
  ASSERT_TRUE(world.sim.run(world.balancers.classic_balancers(world.soon())).ok());
  EXPECT_EQ(world.metrics.throttles(Service::elb_classic), 1U);
}

/// What is no answer of the operation that was called, whatever it is.
std::vector<std::string> garbage() {
  return {
      "", "{}", "<html><body>oops</body></html>", "<a", "\xff\xfe", std::string(100'000, '<'),
      "<DescribeTargetGroupsResponse/>", "<DescribeTargetHealthResponse><DescribeTargetHealthResult>",
      answer_of("SomethingElse", "<TargetGroups/>"),
      // Version 2's answer of the same name.
      answer_of("DescribeLoadBalancers", "<LoadBalancers/>"),
      answer_of("DescribeLoadBalancers",
                "<LoadBalancerDescriptions><member><Instances/></member></LoadBalancerDescriptions>"),
      answer_of("DescribeLoadBalancers",
                "<LoadBalancerDescriptions><member><LoadBalancerName>a</LoadBalancerName><Instances><member/>"
                "</Instances></member></LoadBalancerDescriptions>"),
      answer_of("DescribeTargetGroups", "<TargetGroups><member/></TargetGroups>"),
      answer_of("DescribeTargetGroupAttributes", "<Attributes/>"),
      answer_of("DescribeTargetGroupAttributes",
                "<Attributes><member><Key>deregistration_delay.timeout_seconds"
                "</Key><Value>soon</Value></member></Attributes>"),
      answer_of("DescribeTargetGroupAttributes",
                "<Attributes><member><Key>deregistration_delay.timeout_seconds"
                "</Key><Value>99999999999</Value></member></Attributes>"),
      answer_of("DescribeTargetHealth",
                "<TargetHealthDescriptions><member><Target><Id>i-1</Id><Port>1</Port>"
                "</Target></member></TargetHealthDescriptions>"),
      answer_of("DescribeTargetHealth",
                "<TargetHealthDescriptions><member><Target><Id>i-1</Id><Port>65536</Port>"
                "</Target><TargetHealth><State>healthy</State></TargetHealth></member>"
                "</TargetHealthDescriptions>"),
      answer_of("DescribeInstanceHealth",
                "<InstanceStates><member><InstanceId>i-1</InstanceId></member></InstanceStates>"),
      answer_of("DescribeLoadBalancerAttributes", "")};
}

template <class T>
void expect_unexpected(const Result<T>& result) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().fault, Fault::unexpected);
  EXPECT_LT(result.error().text.size(), 600U);
}

TEST(Balancers, GarbageIsAnErrorForEveryOperation) {
  const std::vector<termination::Target> targets = {termination::Target(two[0], 80)};
  for (const std::string& body : garbage()) {
    SCOPED_TRACE(body.substr(0, 300));
    BalancersWorld world;
    world.remote.answer(200, body);
    auto& b = world.balancers;
    expect_unexpected(world.sim.run(b.target_groups(world.soon())));
    expect_unexpected(world.sim.run(b.target_health("arn", targets, world.soon())));
    expect_unexpected(world.sim.run(b.deregistration_delay("arn", world.soon())));
    expect_unexpected(world.sim.run(b.deregister("arn", targets, world.soon())));
    expect_unexpected(world.sim.run(b.register_again("arn", targets, world.soon())));
    expect_unexpected(world.sim.run(b.classic_balancers(world.soon())));
    expect_unexpected(world.sim.run(b.classic_health("web", two, world.soon())));
    expect_unexpected(world.sim.run(b.classic_draining("web", world.soon())));
    expect_unexpected(world.sim.run(b.classic_deregister("web", two, world.soon())));
    expect_unexpected(world.sim.run(b.classic_register("web", two, world.soon())));
  }
}

TEST(Balancers, PagesThatNeverEndAreAnError) {
  BalancersWorld world;
  world.remote.answer(200,
                      answer_of("DescribeTargetGroups", "<TargetGroups/><NextMarker>again</NextMarker>"));
  const auto groups = world.sim.run(world.balancers.target_groups(world.in(1h)));
  ASSERT_FALSE(groups.ok());
  EXPECT_EQ(groups.error().fault, Fault::unexpected);
  EXPECT_EQ(world.remote.requests.size(), 2U);  // the second page names itself as the next
}

}  // namespace
}  // namespace ferryman::aws
