// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "aws/sigv4.h"
#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class Access : public ::testing::Test {
 protected:
  Access() {
    bench.keys.checking = true;
    AccessKey key;
    key.id = "AKIDEXAMPLE";
    key.secret = Secret("the right secret");
    key.arn = "arn:aws:iam::123456789012:user/ferryman";
    bench.keys.add(key);
    signer.access_key_id = key.id;
    signer.secret_access_key = key.secret;
    signer.region = "us-west-2";
  }

  net::HttpResponse send_signed(net::HttpRequest request, const std::string& service, Duration skew = 0s) {
    signer.service = service;
    EXPECT_TRUE(aws::sign(request, signer, bench.sim.clock.wall() + skew));
    return bench.send(std::move(request));
  }
  net::HttpResponse list_queues(Duration skew = 0s) {
    return send_signed(AwsBench::sqs_request("ListQueues", "{}"), "sqs", skew);
  }
  net::HttpResponse form(const std::string& body, const std::string& service) {
    return send_signed(form_request(body), service);
  }
  static net::HttpRequest form_request(const std::string& body) {
    net::HttpRequest request("POST", "http://aws.sandbox/");
    request.headers.add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
    request.body = body;
    return request;
  }
  static std::string sqs_error(const net::HttpResponse& response) {
    return std::string(response.headers.get("x-amzn-query-error"));
  }

  const std::string identity = "Action=GetCallerIdentity&Version=2011-06-15";
  const std::string instances = "Action=DescribeInstances&Version=2016-11-15";
  const std::string groups = "Action=DescribeAutoScalingGroups&Version=2011-01-01";
  aws::Signer signer;
  AwsBench bench;
};

TEST_F(Access, RightSignatureIsAcceptedByEveryService) {
  EXPECT_EQ(list_queues().status, 200);
  EXPECT_EQ(form(instances, "ec2").status, 200);
  EXPECT_EQ(form(groups, "autoscaling").status, 200);
  EXPECT_EQ(xml_at(form(identity, "sts"), "//Arn"), "arn:aws:iam::123456789012:user/ferryman");
}

TEST_F(Access, WrongSecretIsRefusedInEachServicesForm) {
  signer.secret_access_key = Secret("the wrong secret");
  const auto sqs = list_queues();
  EXPECT_EQ(sqs.status, 403);
  EXPECT_EQ(sqs_error(sqs), "SignatureDoesNotMatch;Sender");
  EXPECT_EQ(string_at(*parse_json(sqs.body), "__type"), "com.amazon.coral.service#InvalidSignatureException");
  const auto ec2 = form(instances, "ec2");
  EXPECT_EQ(ec2.status, 401);
  EXPECT_EQ(xml_at(ec2, "/Response/Errors/Error/Code"), "AuthFailure");
  const auto autoscaling = form(groups, "autoscaling");
  EXPECT_EQ(autoscaling.status, 403);
  EXPECT_EQ(xml_at(autoscaling, "/ErrorResponse/Error/Code"), "SignatureDoesNotMatch");
}

TEST_F(Access, UnknownKeyIsRefused) {
  signer.access_key_id = "AKIDNOBODY";
  EXPECT_EQ(xml_at(form(groups, "autoscaling"), "//Code"), "InvalidClientTokenId");
  EXPECT_EQ(xml_at(form(instances, "ec2"), "//Code"), "AuthFailure");
}

TEST_F(Access, UnsignedCallIsRefused) {
  const auto answer = bench.send(form_request(groups));
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(xml_at(answer, "//Code"), "MissingAuthenticationToken");
}

TEST_F(Access, BodyChangedUnderWayIsRefused) {
  net::HttpRequest request = AwsBench::sqs_request("ListQueues", "{}");
  signer.service = "sqs";
  ASSERT_TRUE(aws::sign(request, signer, bench.sim.clock.wall()));
  request.body = "{\"QueueNamePrefix\":\"a\"}";
  EXPECT_EQ(sqs_error(bench.send(std::move(request))), "SignatureDoesNotMatch;Sender");
}

TEST_F(Access, SignatureForAnotherServiceOrRegionIsRefused) {
  EXPECT_EQ(xml_at(form(groups, "sts"), "//Message"),
            "Credential should be scoped to correct service: 'autoscaling'.");
  signer.region = "eu-central-1";
  EXPECT_EQ(xml_at(form(groups, "autoscaling"), "//Message"),
            "Credential should be scoped to a valid region.");
}

TEST_F(Access, ClockThatIsMoreThanAQuarterOfAnHourOffIsRefused) {
  EXPECT_EQ(list_queues(-15min).status, 200);
  const auto late = list_queues(-16min);
  EXPECT_EQ(late.status, 403);
  EXPECT_EQ(string_at(*parse_json(late.body), "message"),
            "Signature expired: 20260301T114400Z is now earlier than 20260301T114500Z (20260301T120000Z - 15 "
            "min.)");
  EXPECT_EQ(list_queues(16min).status, 403);
}

TEST_F(Access, TemporaryKeysWorkUntilTheyExpire) {
  const auto answer = bench.send(form_request(
      "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012"
      "%3Arole%2Fferryman&RoleSessionName=pod&WebIdentityToken=a.b.c&DurationSeconds=900"));
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(xml_at(answer, "//Expiration"), "2026-03-01T12:15:00Z");
  signer.access_key_id = xml_at(answer, "//AccessKeyId");
  signer.secret_access_key = Secret(xml_at(answer, "//SecretAccessKey"));
  EXPECT_EQ(sqs_error(list_queues()), "InvalidClientTokenId;Sender") << "the session token is missing";
  signer.session_token = Secret(xml_at(answer, "//SessionToken"));
  EXPECT_EQ(list_queues().status, 200);
  EXPECT_EQ(xml_at(form(identity, "sts"), "//Arn"), "arn:aws:sts::123456789012:assumed-role/ferryman/pod");
  bench.sim.clock.advance(15min);
  EXPECT_EQ(sqs_error(list_queues()), "ExpiredToken;Sender");
  EXPECT_EQ(xml_at(form(instances, "ec2"), "//Code"), "RequestExpired");
}

TEST_F(Access, RoleIsAssumedWithSignedKeysOnly) {
  const std::string assume =
      "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fother"
      "&RoleSessionName=s";
  EXPECT_EQ(xml_at(bench.send(form_request(assume)), "//Code"), "MissingAuthenticationToken");
  const auto answer = form(assume, "sts");
  EXPECT_EQ(xml_at(answer, "//AssumeRoleResult/AssumedRoleUser/Arn"),
            "arn:aws:sts::123456789012:assumed-role/other/s");
  signer.access_key_id = xml_at(answer, "//AccessKeyId");
  signer.secret_access_key = Secret(xml_at(answer, "//SecretAccessKey"));
  signer.session_token = Secret(xml_at(answer, "//SessionToken"));
  EXPECT_EQ(list_queues().status, 200);
}

TEST_F(Access, RefusedCallStandsInTheJournal) {
  signer.secret_access_key = Secret("the wrong secret");
  list_queues();
  const JournalEntry& entry = bench.journal.entries().back();
  EXPECT_EQ(entry.service + "." + entry.operation, "sqs.ListQueues");
  EXPECT_EQ(entry.outcome, "SignatureDoesNotMatch");
}

TEST(AwsHandler, UnknownActionIsRefusedByItsService) {
  AwsBench bench;
  const auto ec2 = bench.ec2("MakeCoffee");
  EXPECT_EQ(ec2.status, 400);
  EXPECT_EQ(xml_at(ec2, "/Response/Errors/Error/Code"), "InvalidAction");
  EXPECT_EQ(xml_at(bench.autoscaling("MakeCoffee"), "/ErrorResponse/Error/Code"), "InvalidAction");
  EXPECT_EQ(bench.sqs("MakeCoffee", {}).headers.get("x-amzn-query-error"), "InvalidAction;Sender");
  EXPECT_EQ(bench.query("1999-01-01", "MakeCoffee").status, 400);
  EXPECT_EQ(bench.send(net::HttpRequest("GET", "http://aws.sandbox/")).status, 400);
}

TEST(AwsHandler, ActionThatIsNoNameBecomesNoXml) {
  AwsBench bench;
  const auto answer = bench.ec2("<a>&");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(xml_at(answer, "//Code"), "InvalidAction");
  EXPECT_EQ(bench.journal.entries().back().operation, "a");
}

}  // namespace
}  // namespace ferryman::sandbox::test
