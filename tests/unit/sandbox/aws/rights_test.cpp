// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sandbox/aws/access_rights.h"
#include "unit/sandbox/aws/sqs_bench.h"

namespace ferryman::sandbox::test {
namespace {

class Rights : public ::testing::Test {
 protected:
  void allow(std::string_view actions) { bench.keys.rights = *AccessRights::of_list(actions); }

  SqsBench bench;
};

TEST_F(Rights, WhatIsListedIsAllowedByPatternAndWithoutCase) {
  allow("sqs:receivemessage, autoscaling:Describe*");
  EXPECT_EQ(bench.refusal("ReceiveMessage"), "ok");
  EXPECT_EQ(bench.autoscaling("DescribeAutoScalingGroups").status, 200);
  EXPECT_EQ(bench.refusal("DeleteMessage", {{"ReceiptHandle", "r"}}), "AccessDenied");
}

TEST_F(Rights, ABatchNeedsTheRightOfTheSingleCall) {
  const json::object body{{"Entries", json::array{json::object{{"Id", "1"}, {"ReceiptHandle", "r"}}}}};
  allow("sqs:DeleteMessageBatch");
  EXPECT_EQ(bench.refusal("DeleteMessageBatch", body), "AccessDenied");
  allow("sqs:DeleteMessage");
  EXPECT_EQ(bench.refusal("DeleteMessageBatch", body), "ok");
  EXPECT_EQ(bench.refusal("ChangeMessageVisibilityBatch", body), "AccessDenied");
}

TEST_F(Rights, SqsRefusesInItsOwnWords) {
  allow("ec2:*");
  const auto json_answer = bench.call("ReceiveMessage");
  EXPECT_EQ(json_answer.status, 403);
  const json::value body = *parse_json(json_answer.body);
  EXPECT_EQ(string_at(body, "__type"), "com.amazon.coral.service#AccessDeniedException");
  EXPECT_EQ(string_at(body, "message"),
            "User: arn:aws:iam::123456789012:root is not authorized to perform: sqs:receivemessage on "
            "resource: arn:aws:sqs:us-west-2:123456789012:q because no identity-based policy allows the "
            "sqs:receivemessage action");
  const auto query_answer = bench.form("ReceiveMessage");
  EXPECT_EQ(query_answer.status, 403);
  EXPECT_EQ(xml_at(query_answer, "/ErrorResponse/Error/Code"), "AccessDenied");
}

TEST_F(Rights, Ec2AndTheQueryServicesRefuseEachInTheirForm) {
  allow("sqs:*");
  const auto ec2 = bench.ec2("DescribeInstances");
  EXPECT_EQ(ec2.status, 403);
  EXPECT_EQ(xml_at(ec2, "/Response/Errors/Error/Code"), "UnauthorizedOperation");
  const auto groups = bench.autoscaling("DescribeAutoScalingGroups");
  EXPECT_EQ(groups.status, 403);
  EXPECT_EQ(xml_at(groups, "/ErrorResponse/Error/Code"), "AccessDenied");
  const auto elb = bench.query("2015-12-01", "DescribeTargetGroups");
  EXPECT_NE(xml_at(elb, "//Message").find("elasticloadbalancing:DescribeTargetGroups"), std::string::npos);
}

TEST_F(Rights, RefusedCallHasNoEffect) {
  bench.send_text();
  allow("ec2:*");
  bench.call("PurgeQueue");
  EXPECT_EQ(bench.world.queues().find("q")->messages().size(), 1U);
  EXPECT_EQ(bench.journal.entries().back().outcome, "AccessDenied");
}

TEST_F(Rights, WhoOneIsMayAlwaysBeAsked) {
  allow("ec2:*");
  EXPECT_EQ(bench.query("2011-06-15", "GetCallerIdentity").status, 200);
  EXPECT_EQ(xml_at(bench.query("2011-06-15", "AssumeRole"), "//Code"), "AccessDenied");
}

TEST_F(Rights, PolicysActionsAreTaken) {
  const auto policy = parse_json(R"({"Version":"2012-10-17","Statement":[
      {"Effect":"Allow","Action":["sqs:ReceiveMessage"],"Resource":"*"},
      {"Effect":"Allow","Action":"ec2:Describe*","Resource":"*"}]})");
  const auto rights = AccessRights::of_policy(*policy);
  ASSERT_TRUE(rights);
  EXPECT_TRUE(rights->allow("sqs:ReceiveMessage"));
  EXPECT_TRUE(rights->allow("ec2:DescribeInstances"));
  EXPECT_FALSE(rights->allow("sqs:DeleteMessage"));
  EXPECT_FALSE(AccessRights::of_policy(json::object{{"Statement", {{{"Effect", "Deny"}}}}}));
  EXPECT_FALSE(AccessRights::of_policy(json::object()));
}

TEST_F(Rights, WhatIsNoActionIsNamed) {
  const auto rights = AccessRights::of_list("sqs:*, ReceiveMessage");
  ASSERT_FALSE(rights);
  EXPECT_NE(rights.error().text.find("\"ReceiveMessage\""), std::string::npos) << rights.error().text;
}

}  // namespace
}  // namespace ferryman::sandbox::test
