// SPDX-License-Identifier: Apache-2.0
#include "aws/balancers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/aws/balancers_world.h"

namespace ferryman::aws {
namespace {

using namespace std::chrono_literals;
using termination::BalancerType;
using termination::Target;
using test::answer_of;
using test::BalancersWorld;
using test::refusal;

constexpr const char* arn =
    "arn:aws:elasticloadbalancing:us-west-2:123456789012:targetgroup/web/0123456789abcdef";
constexpr const char* arn_in_form =
    "arn%3Aaws%3Aelasticloadbalancing%3Aus-west-2%3A123456789012%3Atargetgroup%2Fweb%2F0123456789abcdef";

std::vector<Target> two_ports_of_one() {
  const InstanceId id("i-0123456789abcdef0");
  return {Target(id, 30080), Target(id, 30443)};
}

TEST(Balancers, DeregisteringNamesEachTargetWithItsPort) {
  BalancersWorld world;
  world.remote.answer(200, answer_of("DeregisterTargets", ""));
  const auto done = world.sim.run(world.balancers.deregister(arn, two_ports_of_one(), world.soon()));
  ASSERT_TRUE(done.ok()) << done.error().text;
  EXPECT_EQ(world.last().body,
            fmt::format("Action=DeregisterTargets&Version=2015-12-01&TargetGroupArn={}"
                        "&Targets.member.1.Id=i-0123456789abcdef0&Targets.member.1.Port=30080"
                        "&Targets.member.2.Id=i-0123456789abcdef0&Targets.member.2.Port=30443",
                        arn_in_form));
  EXPECT_NE(world.last().headers.get("Authorization").find("/us-west-2/elasticloadbalancing/aws4_request"),
            std::string_view::npos);
}

TEST(Balancers, RegisteringAgainNamesEachTargetWithItsPort) {
  BalancersWorld world;
  world.remote.answer(200, answer_of("RegisterTargets", ""));
  ASSERT_TRUE(world.sim.run(world.balancers.register_again(arn, two_ports_of_one(), world.soon())).ok());
  EXPECT_TRUE(
      world.last().body.starts_with("Action=RegisterTargets&Version=2015-12-01&TargetGroupArn=arn%3A"));
  EXPECT_TRUE(world.last().body.ends_with("&Targets.member.2.Port=30443"));
}

std::string group(const std::string& name, const std::string& more) {
  return fmt::format(
      "<member><TargetGroupArn>arn:{0}</TargetGroupArn><TargetGroupName>{0}</TargetGroupName>{1}"
      "</member>",
      name, more);
}

TEST(Balancers, TargetGroupsAreReadWithTheTypeOfTheirBalancer) {
  BalancersWorld world;
  const auto with = [](const std::string& protocol) {
    return group(protocol, "<TargetType>instance</TargetType><Protocol>" + protocol + "</Protocol>");
  };
  std::string list = group("code", "<TargetType>lambda</TargetType>");
  for (const char* protocol : {"HTTP", "HTTPS", "TCP", "TLS", "UDP", "TCP_UDP", "QUIC", "GENEVE"})
    list += with(protocol);
  world.remote.answer(200, answer_of("DescribeTargetGroups", "<TargetGroups>" + list + "</TargetGroups>"));
  const auto groups = world.sim.run(world.balancers.target_groups(world.soon()));
  ASSERT_TRUE(groups.ok()) << groups.error().text;
  ASSERT_EQ(groups->size(), 9U);
  EXPECT_EQ((*groups)[0].type, BalancerType::unknown);
  EXPECT_EQ((*groups)[0].target_type, "lambda");
  EXPECT_EQ((*groups)[1].arn, "arn:HTTP");
  EXPECT_EQ((*groups)[1].name, "HTTP");
  EXPECT_EQ((*groups)[1].type, BalancerType::application);
  EXPECT_EQ((*groups)[2].type, BalancerType::application);
  for (std::size_t i = 3; i < 8; ++i)
    EXPECT_EQ((*groups)[i].type, BalancerType::network) << (*groups)[i].name;
  EXPECT_EQ((*groups)[8].type, BalancerType::gateway);
  EXPECT_EQ(world.last().body, "Action=DescribeTargetGroups&Version=2015-12-01&PageSize=400");
}

TEST(Balancers, PagesOfTargetGroupsAreFollowed) {
  BalancersWorld world;
  world.remote.answer(
      200, answer_of("DescribeTargetGroups",
                     "<TargetGroups>" + group("a", "") + "</TargetGroups><NextMarker>a/b+=</NextMarker>"));
  world.remote.answer(
      200, answer_of("DescribeTargetGroups", "<TargetGroups>" + group("b", "") + "</TargetGroups>"));
  const auto groups = world.sim.run(world.balancers.target_groups(world.soon()));
  ASSERT_TRUE(groups.ok()) << groups.error().text;
  ASSERT_EQ(groups->size(), 2U);
  EXPECT_EQ((*groups)[1].name, "b");
  EXPECT_TRUE(world.last().body.ends_with("PageSize=400&Marker=a%2Fb%2B%3D"));
}

TEST(Balancers, HealthIsReadByInstanceAndPort) {
  BalancersWorld world;
  world.remote.answer(
      200,
      answer_of(
          "DescribeTargetHealth",
          "<TargetHealthDescriptions>"
          "<member><HealthCheckPort>1</HealthCheckPort><TargetHealth><State>healthy</State></TargetHealth>"
          "<Target><Port>30080</Port><Id>i-0123456789abcdef0</Id></Target></member>"
          "<member><TargetHealth><State>draining</State><Reason>Target.DeregistrationInProgress</Reason>"
          "<Description>Target deregistration is in progress</Description></TargetHealth>"
          "<Target><Port>30443</Port><Id>i-0123456789abcdef0</Id></Target></member>"
          "</TargetHealthDescriptions>"));
  const auto health = world.sim.run(world.balancers.target_health(arn, two_ports_of_one(), world.soon()));
  ASSERT_TRUE(health.ok()) << health.error().text;
  ASSERT_EQ(health->size(), 2U);
  EXPECT_EQ((*health)[0].target, two_ports_of_one()[0]);
  EXPECT_EQ((*health)[0].state, "healthy");
  EXPECT_EQ((*health)[0].reason, "");
  EXPECT_EQ((*health)[1].target, two_ports_of_one()[1]);
  EXPECT_EQ((*health)[1].state, "draining");
  EXPECT_EQ((*health)[1].reason, "Target.DeregistrationInProgress");
  EXPECT_NE(world.last().body.find("&Targets.member.2.Port=30443"), std::string::npos);
}

TEST(Balancers, WithoutTargetsTheHealthOfAllIsAskedFor) {
  BalancersWorld world;
  world.remote.answer(200, answer_of("DescribeTargetHealth", "<TargetHealthDescriptions/>"));
  const auto health = world.sim.run(world.balancers.target_health(arn, {}, world.soon()));
  ASSERT_TRUE(health.ok()) << health.error().text;
  EXPECT_TRUE(health->empty());
  EXPECT_EQ(world.last().body,
            fmt::format("Action=DescribeTargetHealth&Version=2015-12-01&TargetGroupArn={}", arn_in_form));
}

TEST(Balancers, ADelayIsFoundAmongTheAttributes) {
  BalancersWorld world;
  world.remote.answer(
      200,
      answer_of("DescribeTargetGroupAttributes",
                "<Attributes><member><Key>stickiness.enabled</Key><Value>false</Value></member><member>"
                "<Key>deregistration_delay.timeout_seconds</Key><Value>45</Value></member></Attributes>"));
  const auto delay = world.sim.run(world.balancers.deregistration_delay(arn, world.soon()));
  ASSERT_TRUE(delay.ok()) << delay.error().text;
  EXPECT_EQ(*delay, 45s);
}

TEST(Balancers, NobodyIsAskedToChangeNothing) {
  BalancersWorld world;
  ASSERT_TRUE(world.sim.run(world.balancers.deregister(arn, {}, world.soon())).ok());
  ASSERT_TRUE(world.sim.run(world.balancers.register_again(arn, {}, world.soon())).ok());
  ASSERT_TRUE(world.sim.run(world.balancers.classic_deregister("web", {}, world.soon())).ok());
  ASSERT_TRUE(world.sim.run(world.balancers.classic_register("web", {}, world.soon())).ok());
  ASSERT_TRUE(world.sim.run(world.balancers.target_group_tags({}, world.soon())).ok());
  EXPECT_TRUE(world.remote.requests.empty());
}

TEST(Balancers, TagsAreReadForUpToTwentyGroupsByOneCall) {
  BalancersWorld world;
  world.remote.answer(
      200, answer_of("DescribeTags",
                     "<TagDescriptions><member><ResourceArn>arn:a</ResourceArn><Tags><member>"
                     "<Key>elbv2.k8s.aws/cluster</Key><Value>shop</Value></member><member><Key>bare</Key>"
                     "</member></Tags></member><member><ResourceArn>arn:b</ResourceArn><Tags/></member>"
                     "</TagDescriptions>"));
  std::vector<std::string> arns{"arn:a", "arn:b"};
  const auto tags = world.sim.run(world.balancers.target_group_tags(std::move(arns), world.soon()));
  ASSERT_TRUE(tags.ok()) << tags.error().text;
  ASSERT_EQ(tags->size(), 2U);
  EXPECT_EQ(tags->at("arn:a").at("elbv2.k8s.aws/cluster"), "shop");
  EXPECT_EQ(tags->at("arn:a").at("bare"), "");
  EXPECT_TRUE(tags->at("arn:b").empty());
  EXPECT_EQ(world.last().body,
            "Action=DescribeTags&Version=2015-12-01&ResourceArns.member.1=arn%3Aa"
            "&ResourceArns.member.2=arn%3Ab");
}

TEST(Balancers, TheHealthOfAllIsReadWhenNoInstanceIsNamed) {
  BalancersWorld world;
  world.remote.answer(200, answer_of("DescribeInstanceHealth", "<InstanceStates/>"));
  ASSERT_TRUE(world.sim.run(world.balancers.classic_health("web", {}, world.soon())).ok());
  EXPECT_EQ(world.last().body, "Action=DescribeInstanceHealth&Version=2012-06-01&LoadBalancerName=web");
}

TEST(Balancers, ABadTargetIsTold) {
  BalancersWorld world;
  world.remote.answer(400, refusal("InvalidTarget", "The following targets are not valid: 'i-1'"));
  const auto done = world.sim.run(world.balancers.deregister(arn, two_ports_of_one(), world.soon()));
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().fault, Fault::invalid);
  EXPECT_EQ(done.error().code, "InvalidTarget");
  EXPECT_EQ(done.error().text,
            "calling elbv2 DeregisterTargets: InvalidTarget: The following targets are not valid: 'i-1'");
  EXPECT_EQ(world.remote.requests.size(), 1U) << "asking again changes nothing";
}

TEST(Balancers, AGroupThatIsGoneIsNotFoundByAnyCall) {
  BalancersWorld world;
  world.remote.answer(400, refusal("TargetGroupNotFound", "One or more target groups not found"));
  const auto targets = two_ports_of_one();
  EXPECT_EQ(world.sim.run(world.balancers.target_health(arn, {}, world.soon())).error().fault,
            Fault::not_found);
  EXPECT_EQ(world.sim.run(world.balancers.deregistration_delay(arn, world.soon())).error().fault,
            Fault::not_found);
  EXPECT_EQ(world.sim.run(world.balancers.deregister(arn, targets, world.soon())).error().fault,
            Fault::not_found);
  EXPECT_EQ(world.sim.run(world.balancers.register_again(arn, targets, world.soon())).error().fault,
            Fault::not_found);
}

TEST(Balancers, AThrottledCallIsRepeatedMoreSlowly) {
  BalancersWorld world;
  world.remote.answer(400, refusal("Throttling", "Rate exceeded"));
  world.remote.answer(200, answer_of("DeregisterTargets", ""));
  ASSERT_TRUE(world.sim.run(world.balancers.deregister(arn, two_ports_of_one(), world.soon())).ok());
  EXPECT_EQ(world.remote.requests.size(), 2U);
  EXPECT_EQ(world.metrics.throttles(Service::elb2), 1U);
  EXPECT_EQ(world.metrics.throttles(Service::elb_classic), 0U);
}

/// Reads are 40 at once and 10 a second, of which half is ours; what changes something does not wait for
/// them.
TEST(Balancers, ADeregistrationDoesNotWaitBehindReads) {
  BalancersWorld world;
  world.remote.answer(200, answer_of("DescribeTargetHealth", "<TargetHealthDescriptions/>"));
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(world.sim.run(world.balancers.target_health(arn, {}, world.soon())).ok());
  }
  const auto late = world.sim.run(world.balancers.target_health(arn, {}, world.in(100ms)));
  ASSERT_FALSE(late.ok()) << "the twenty-first has to wait 200 ms";
  world.remote.answers.clear();
  world.remote.answer(200, answer_of("DeregisterTargets", ""));
  EXPECT_TRUE(world.sim.run(world.balancers.deregister(arn, two_ports_of_one(), world.in(100ms))).ok());
}

}  // namespace
}  // namespace ferryman::aws
