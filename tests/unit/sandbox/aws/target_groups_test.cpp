// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "unit/sandbox/aws/balancers_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* unknown_arn =
    "arn:aws:elasticloadbalancing:us-west-2:123456789012:targetgroup/web/0000000000000000";

TEST(TargetGroups, ADeregisteredTargetDrainsForTheDelayAndIsGone) {
  BalancersBench bench;
  const TargetGroup& web = bench.web();
  const InstanceId id = bench.ids[0];
  EXPECT_EQ(bench.health(web, id, "80"), "healthy none");
  ASSERT_EQ(bench.change("DeregisterTargets", web, id.str(), "80").status, 200);
  EXPECT_EQ(bench.health(web, id, "80"), "draining Target.DeregistrationInProgress");
  EXPECT_EQ(bench.health(web, id, "8080"), "healthy none") << "another port is another target";
  bench.sim.clock.advance(29s);
  EXPECT_EQ(bench.health(web, id, "80"), "draining Target.DeregistrationInProgress");
  bench.sim.clock.advance(1s);
  EXPECT_EQ(bench.health(web, id, "80"), "unused Target.NotRegistered");
  const auto all = bench.elbv2("DescribeTargetHealth", {{"TargetGroupArn", web.arn}});
  EXPECT_EQ(xml_count(all, "//TargetHealthDescriptions/member"), 3U)
      << "without names, only what is registered";
  EXPECT_EQ(bench.times_of("target.draining"), std::vector{0.0});
  EXPECT_EQ(bench.times_of("target.gone"), std::vector{30.0});
}

TEST(TargetGroups, FactsAndCallsNameGroupInstanceAndPort) {
  BalancersBench bench;
  const TargetGroup& web = bench.web();
  bench.change("DeregisterTargets", web, bench.ids[1].str(), "8080");
  const JournalEntry& call = bench.journal.entries().back();
  EXPECT_EQ(call.service, "elbv2");
  EXPECT_EQ(call.operation, "DeregisterTargets");
  EXPECT_EQ(call.subject, bench.ids[1].str());
  EXPECT_EQ(call.details.at("group"), web.arn);
  EXPECT_EQ(call.details.at("targets"), bench.ids[1].str() + ":8080");
  const JournalEntry& fact = bench.journal.entries()[bench.journal.entries().size() - 2];
  EXPECT_EQ(fact.operation, "target.draining");
  EXPECT_EQ(fact.details.at("instance"), bench.ids[1].str());
  EXPECT_EQ(fact.details.at("group"), web.arn);
  EXPECT_EQ(fact.details.at("port"), "8080");
}

TEST(TargetGroups, ANewTargetIsInitialForAWhile) {
  BalancersBench bench;
  const TargetGroup& web = bench.web();
  ASSERT_EQ(bench.change("RegisterTargets", web, bench.ids[2].str(), "").status, 200);
  EXPECT_EQ(bench.health(web, bench.ids[2], "80"), "initial Elb.RegistrationInProgress");
  bench.sim.clock.advance(10s);
  EXPECT_EQ(bench.health(web, bench.ids[2], "80"), "healthy none");
}

TEST(TargetGroups, ATargetThatComesBackWhileItDrainsStays) {
  BalancersBench bench;
  const TargetGroup& web = bench.web();
  const std::string id = bench.ids[0].str();
  bench.change("DeregisterTargets", web, id, "80");
  bench.sim.clock.advance(20s);
  ASSERT_EQ(bench.change("RegisterTargets", web, id, "80").status, 200);
  bench.sim.clock.advance(1min);
  EXPECT_EQ(bench.health(web, bench.ids[0], "80"), "healthy none");
  EXPECT_TRUE(bench.times_of("target.gone").empty());
}

TEST(TargetGroups, ATerminatedInstanceDropsOut) {
  BalancersBench bench;
  const TargetGroup& web = bench.web();
  bench.change("DeregisterTargets", web, bench.ids[0].str(), "80");
  ASSERT_TRUE(bench.world.instances().shut_down(bench.ids[0]));
  bench.sim.clock.advance(5s);
  EXPECT_EQ(bench.health(web, bench.ids[0], "80"), "unused Target.NotRegistered");
  EXPECT_EQ(bench.times_of("target.gone"), (std::vector{5.0, 5.0}));
  bench.sim.clock.advance(1min);
  EXPECT_EQ(bench.times_of("target.gone").size(), 2U) << "the delay's end finds nothing to do";
}

TEST(TargetGroups, WithoutABalancerNothingDrains) {
  BalancersBench bench;
  TargetGroup& web = bench.web();
  web.spec.load_balancer.clear();
  EXPECT_EQ(bench.health(web, bench.ids[0], "80"), "unused Target.NotInUse");
  bench.change("DeregisterTargets", web, bench.ids[0].str(), "80");
  EXPECT_EQ(bench.health(web, bench.ids[0], "80"), "unused Target.NotRegistered");
}

TEST(TargetGroups, WhatIsNotRegisteredMayBeDeregisteredButNotWhatDoesNotExist) {
  BalancersBench bench;
  const TargetGroup& web = bench.web();
  EXPECT_EQ(bench.change("DeregisterTargets", web, bench.ids[2].str(), "80").status, 200);
  const auto unknown = bench.elbv2("DeregisterTargets", {{"TargetGroupArn", web.arn},
                                                         {"Targets.member.1.Id", bench.ids[0].str()},
                                                         {"Targets.member.1.Port", "80"},
                                                         {"Targets.member.2.Id", "i-0000000000000000f"},
                                                         {"Targets.member.2.Port", "80"}});
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(xml_at(unknown, "/ErrorResponse/Error/Code"), "InvalidTarget");
  EXPECT_EQ(bench.health(web, bench.ids[0], "80"), "healthy none") << "all or none";
  const auto malformed = bench.change("DeregisterTargets", web, "10.0.0.1", "80");
  EXPECT_EQ(xml_at(malformed, "//Code"), "ValidationError");
}

TEST(TargetGroups, AnotherPortThanTheGroupsMustBeNamed) {
  BalancersBench bench;
  const TargetGroup& web = bench.web();
  bench.change("DeregisterTargets", web, bench.ids[0].str(), "");
  EXPECT_EQ(bench.health(web, bench.ids[0], "80"), "draining Target.DeregistrationInProgress");
  bench.sim.clock.advance(30s);
  EXPECT_EQ(xml_at(bench.change("DeregisterTargets", web, bench.ids[0].str(), ""), "//Code"),
            "InvalidTarget");
}

TEST(TargetGroups, OnlyRunningInstancesMayBeRegistered) {
  BalancersBench bench;
  const TargetGroup& web = bench.web();
  const InstanceId booting = bench.world.instances().launch(LaunchSpec());
  EXPECT_EQ(xml_at(bench.change("RegisterTargets", web, booting.str(), "80"), "//Code"), "InvalidTarget");
}

TEST(TargetGroups, EachCallKnowsAMissingGroup) {
  BalancersBench bench;
  bench.web();
  for (const char* action :
       {"DescribeTargetHealth", "DescribeTargetGroupAttributes", "DeregisterTargets", "RegisterTargets"}) {
    const auto answer =
        bench.elbv2(action, {{"TargetGroupArn", unknown_arn}, {"Targets.member.1.Id", bench.ids[0].str()}});
    EXPECT_EQ(xml_at(answer, "//Code"), "TargetGroupNotFound") << action;
    EXPECT_EQ(xml_at(bench.elbv2(action, {{"TargetGroupArn", "web"}}), "//Code"), "ValidationError")
        << action;
  }
  EXPECT_EQ(xml_at(bench.elbv2("DescribeTargetGroups", {{"Names.member.1", "none"}}), "//Code"),
            "TargetGroupNotFound");
  EXPECT_EQ(xml_at(bench.elbv2("DescribeTags", {{"ResourceArns.member.1", unknown_arn}}), "//Code"),
            "TargetGroupNotFound");
}

TEST(DescribeTargetGroups, PagesHoldEachGroupOnce) {
  BalancersBench bench;
  for (int i = 0; i < 5; ++i) bench.web(fmt::format("web-{}", i));
  std::set<std::string> seen;
  std::string marker;
  for (int page = 0; page < 3; ++page) {
    net::QueryParameters parameters{{"PageSize", "2"}};
    if (!marker.empty()) parameters.emplace_back("Marker", marker);
    const auto answer = bench.elbv2("DescribeTargetGroups", parameters);
    pugi::xml_document document;
    document.load_string(answer.body.c_str());
    for (const auto& name : document.select_nodes("//TargetGroupName")) seen.insert(name.node().text().get());
    marker = xml_at(answer, "//NextMarker");
    EXPECT_EQ(marker == "none", page == 2);
  }
  EXPECT_EQ(seen.size(), 5U);
  EXPECT_EQ(xml_at(bench.elbv2("DescribeTargetGroups", {{"PageSize", "401"}}), "//Code"), "ValidationError");
  EXPECT_EQ(xml_at(bench.elbv2("DescribeTargetGroups", {{"Marker", "x"}}), "//Code"), "ValidationError");
}

TEST(DescribeTargetGroups, ShowsTypeProtocolDelayAndTags) {
  BalancersBench bench;
  TargetGroup& web = bench.web();
  web.spec.tags = {{"kubernetes.io/cluster/demo", "owned"}};
  const auto groups = bench.elbv2("DescribeTargetGroups", {{"TargetGroupArns.member.1", web.arn}});
  EXPECT_EQ(xml_at(groups, "//TargetType"), "instance");
  EXPECT_EQ(xml_at(groups, "//Protocol"), "HTTP");
  EXPECT_EQ(xml_at(groups, "//LoadBalancerArns/member"), web.spec.load_balancer);
  const auto attributes = bench.elbv2("DescribeTargetGroupAttributes", {{"TargetGroupArn", web.arn}});
  EXPECT_EQ(xml_at(attributes, "//member[Key='deregistration_delay.timeout_seconds']/Value"), "30");
  const auto tags = bench.elbv2("DescribeTags", {{"ResourceArns.member.1", web.arn},
                                                 {"ResourceArns.member.2", web.spec.load_balancer}});
  EXPECT_EQ(xml_at(tags, "//member[Key='kubernetes.io/cluster/demo']/Value"), "owned");
  EXPECT_EQ(xml_count(tags, "//TagDescriptions/member"), 2U);
  const auto balancers = bench.elbv2("DescribeLoadBalancers");
  EXPECT_EQ(xml_at(balancers, "//LoadBalancers/member/Type"), "application");
}

TEST(ElbThrottle, RefusesTheFortyFirstReadAndTakesTenASecond) {
  BalancersBench bench;
  const auto reads = [&](int n) {
    int refused = 0;
    for (int i = 0; i < n; ++i) refused += bench.elbv2("DescribeTargetGroups").status == 400 ? 1 : 0;
    return refused;
  };
  EXPECT_EQ(reads(41), 1);
  const auto refusal = bench.elbv2("DescribeTargetGroups");
  EXPECT_EQ(xml_at(refusal, "/ErrorResponse/Error/Code"), "Throttling");
  EXPECT_EQ(bench.elb("DescribeLoadBalancers").status, 200) << "the other version counts apart";
  EXPECT_EQ(xml_at(bench.elbv2("DeregisterTargets", {{"TargetGroupArn", unknown_arn}}), "//Code"),
            "TargetGroupNotFound")
      << "so do changes";
  bench.sim.clock.advance(1s);
  EXPECT_EQ(reads(11), 1);
  bench.world.settings().throttling = false;
  EXPECT_EQ(reads(100), 0);
}

}  // namespace
}  // namespace ferryman::sandbox::test
