// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

std::string code_of(const net::HttpResponse& response) {
  return xml_at(response, "//Code");
}

TEST(DescribeInstances, ShowsWhatAClientNeedsToFindItsNode) {
  AwsBench bench;
  const InstanceId id = bench.workers(2)[0];
  const auto answer = bench.ec2("DescribeInstances", {{"InstanceId.1", id.str()}});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(xml_count(answer, "//instancesSet/item"), 1U);
  EXPECT_EQ(xml_at(answer, "//instanceId"), id.str());
  EXPECT_EQ(xml_at(answer, "//instanceState/name"), "running");
  EXPECT_EQ(xml_at(answer, "//privateDnsName"), "ip-10-0-0-4.us-west-2.compute.internal");
  EXPECT_EQ(xml_at(answer, "//tagSet/item[key='aws:autoscaling:groupName']/value"), "workers");
}

TEST(DescribeInstances, FilterThatMatchesNothingIsNoError) {
  AwsBench bench;
  bench.workers(2);
  const auto answer = bench.ec2(
      "DescribeInstances", {{"Filter.1.Name", "instance-id"}, {"Filter.1.Value.1", "i-0000000000000000f"}});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(xml_count(answer, "//instancesSet/item"), 0U);
}

TEST(DescribeInstances, FiltersNarrowAndTheirValuesWiden) {
  AwsBench bench;
  const auto ids = bench.workers(4);
  const auto answer = bench.ec2("DescribeInstances", {{"Filter.1.Name", "instance-id"},
                                                      {"Filter.1.Value.1", ids[0].str()},
                                                      {"Filter.1.Value.2", ids[2].str()},
                                                      {"Filter.2.Name", "private-dns-name"},
                                                      {"Filter.2.Value.1", "ip-10-0-0-6.*"}});
  EXPECT_EQ(xml_count(answer, "//instancesSet/item"), 1U);
  EXPECT_EQ(xml_at(answer, "//instanceId"), ids[2].str());
}

TEST(DescribeInstances, TagFilterKnowsBlanksAndUnicode) {
  AwsBench bench;
  LaunchSpec spec;
  spec.tags["Owner name"] = "Zoë & Söhne";
  const InstanceId id = bench.world.instances().launch(spec);
  bench.world.instances().launch(LaunchSpec());
  const auto answer = bench.ec2("DescribeInstances",
                                {{"Filter.1.Name", "tag:Owner name"}, {"Filter.1.Value.1", "Zoë & Söhne"}});
  EXPECT_EQ(xml_count(answer, "//instancesSet/item"), 1U);
  EXPECT_EQ(xml_at(answer, "//tagSet/item/value"), "Zoë & Söhne");
}

TEST(DescribeInstances, OneUnknownIdFailsTheWholeCall) {
  AwsBench bench;
  const InstanceId id = bench.workers(1)[0];
  const auto answer =
      bench.ec2("DescribeInstances", {{"InstanceId.1", id.str()}, {"InstanceId.2", "i-0000000000000000f"}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(xml_at(answer, "/Response/Errors/Error/Code"), "InvalidInstanceID.NotFound");
  EXPECT_EQ(xml_at(answer, "/Response/Errors/Error/Message"),
            "The instance ID 'i-0000000000000000f' does not exist");
  EXPECT_NE(xml_at(answer, "/Response/RequestID"), "none");
}

TEST(DescribeInstances, IdOfAnotherFormIsMalformed) {
  AwsBench bench;
  EXPECT_EQ(code_of(bench.ec2("DescribeInstances", {{"InstanceId.1", "i-xyz"}})),
            "InvalidInstanceID.Malformed");
}

TEST(DescribeInstances, PagesHoldEachInstanceOnce) {
  AwsBench bench;
  bench.workers(12);
  std::set<std::string> seen;
  std::string token;
  for (int page = 0; page < 3; ++page) {
    net::QueryParameters parameters{{"MaxResults", "5"}};
    if (!token.empty()) parameters.emplace_back("NextToken", token);
    const auto answer = bench.ec2("DescribeInstances", parameters);
    pugi::xml_document document;
    document.load_string(answer.body.c_str());
    for (const auto& id : document.select_nodes("//instanceId")) seen.insert(id.node().text().get());
    token = xml_at(answer, "//nextToken");
    EXPECT_EQ(token == "none", page == 2);
  }
  EXPECT_EQ(seen.size(), 12U);
}

TEST(DescribeInstances, MoreThanTwoHundredFilterValuesAreRefused) {
  AwsBench bench;
  net::QueryParameters parameters{{"Filter.1.Name", "instance-id"}};
  for (int i = 1; i <= 201; ++i) parameters.emplace_back(fmt::format("Filter.1.Value.{}", i), "i-00000000");
  EXPECT_EQ(code_of(bench.ec2("DescribeInstances", parameters)), "FilterLimitExceeded");
}

TEST(DescribeInstances, UnknownFilterIsNamed) {
  AwsBench bench;
  const auto answer =
      bench.ec2("DescribeInstances", {{"Filter.1.Name", "colour"}, {"Filter.1.Value.1", "red"}});
  EXPECT_EQ(xml_at(answer, "//Message"), "The filter 'colour' is invalid");
}

TEST(DescribeInstances, TerminatedOneHasNoNameAndIsForgottenAfterAnHour) {
  AwsBench bench;
  const InstanceId id = bench.workers(1)[0];
  bench.world.instances().shut_down(id);
  bench.sim.clock.advance(5s);
  const auto answer = bench.ec2("DescribeInstances", {{"InstanceId.1", id.str()}});
  EXPECT_EQ(xml_at(answer, "//instanceState/name"), "terminated");
  EXPECT_EQ(xml_at(answer, "//privateDnsName"), "");
  bench.sim.clock.advance(1h);
  EXPECT_EQ(code_of(bench.ec2("DescribeInstances", {{"InstanceId.1", id.str()}})),
            "InvalidInstanceID.NotFound");
}

TEST(DescribeAutoScalingInstances, LeavesUnknownIdsOut) {
  AwsBench bench;
  const InstanceId id = bench.workers(2)[1];
  const auto answer =
      bench.autoscaling("DescribeAutoScalingInstances",
                        {{"InstanceIds.member.1", id.str()}, {"InstanceIds.member.2", "i-00000000"}});
  EXPECT_EQ(xml_count(answer, "//AutoScalingInstances/member"), 1U);
  EXPECT_EQ(xml_at(answer, "//LifecycleState"), "InService");
  EXPECT_EQ(xml_at(answer, "//AutoScalingGroupName"), "workers");
}

TEST(DescribeAutoScalingInstances, RefusesMoreThanFiftyIds) {
  AwsBench bench;
  net::QueryParameters parameters;
  for (int i = 1; i <= 51; ++i)
    parameters.emplace_back(fmt::format("InstanceIds.member.{}", i), "i-00000000");
  EXPECT_EQ(code_of(bench.autoscaling("DescribeAutoScalingInstances", parameters)), "ValidationError");
}

TEST(DescribeAutoScalingGroups, PagesByMaxRecords) {
  AwsBench bench;
  for (int i = 0; i < 3; ++i) {
    GroupSpec spec;
    spec.name = fmt::format("group-{}", i);
    bench.world.groups().create(spec);
  }
  const auto first = bench.autoscaling("DescribeAutoScalingGroups", {{"MaxRecords", "2"}});
  EXPECT_EQ(xml_count(first, "//AutoScalingGroups/member"), 2U);
  const auto second =
      bench.autoscaling("DescribeAutoScalingGroups", {{"NextToken", xml_at(first, "//NextToken")}});
  EXPECT_EQ(xml_at(second, "//AutoScalingGroupName"), "group-2");
  EXPECT_EQ(xml_at(second, "//NextToken"), "none");
}

TEST(DescribeLifecycleHooks, ShowsWhatPutLifecycleHookSet) {
  AwsBench bench;
  bench.workers(1);
  const net::QueryParameters hook{{"AutoScalingGroupName", "workers"},
                                  {"LifecycleHookName", "late"},
                                  {"LifecycleTransition", "autoscaling:EC2_INSTANCE_TERMINATING"},
                                  {"HeartbeatTimeout", "300"},
                                  {"DefaultResult", "CONTINUE"}};
  EXPECT_EQ(bench.autoscaling("PutLifecycleHook", hook).status, 200);
  const auto answer = bench.autoscaling("DescribeLifecycleHooks", {{"AutoScalingGroupName", "workers"},
                                                                   {"LifecycleHookNames.member.1", "late"}});
  EXPECT_EQ(xml_count(answer, "//LifecycleHooks/member"), 1U);
  EXPECT_EQ(xml_at(answer, "//HeartbeatTimeout"), "300");
  EXPECT_EQ(xml_at(answer, "//GlobalTimeout"), "30000");
  EXPECT_EQ(xml_at(answer, "//DefaultResult"), "CONTINUE");
}

TEST(DescribeTags, FiltersByGroupAndKey) {
  AwsBench bench;
  for (const char* name : {"blue", "green"}) {
    GroupSpec spec;
    spec.name = name;
    spec.tags = {{"team", name}, {"kubernetes.io/cluster/demo", "owned"}};
    bench.world.groups().create(spec);
  }
  const auto answer = bench.autoscaling("DescribeTags", {{"Filters.member.1.Name", "auto-scaling-group"},
                                                         {"Filters.member.1.Values.member.1", "green"},
                                                         {"Filters.member.2.Name", "key"},
                                                         {"Filters.member.2.Values.member.1", "team"}});
  EXPECT_EQ(xml_count(answer, "//Tags/member"), 1U);
  EXPECT_EQ(xml_at(answer, "//Value"), "green");
}

}  // namespace
}  // namespace ferryman::sandbox::test
