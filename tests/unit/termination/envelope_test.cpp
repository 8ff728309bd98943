// SPDX-License-Identifier: Apache-2.0
// The three forms in which a lifecycle action comes, and the test notifications.
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "termination/parse/message_parser.h"
#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using parse::parse_message;

std::string in_sns(std::string_view inner) {
  return json::serialize(json::object{
      {"Type", "Notification"}, {"TopicArn", "arn:aws:sns:us-west-2:123456789012:t"}, {"Message", inner}});
}

TEST(Envelope, AllFormsOfALifecycleActionSayTheSame) {
  const auto reference = parse_message(test::sample("eventbridge-asg-terminate-lifecycle"));
  ASSERT_TRUE(reference);
  const std::vector<std::string> bodies = {test::sample("direct-asg-terminate-lifecycle"),
                                           test::sample("sns-wrapped-asg-terminate-lifecycle"),
                                           in_sns(test::sample("eventbridge-asg-terminate-lifecycle"))};
  for (const std::string& body : bodies) {
    const auto parsed = parse_message(body);
    ASSERT_TRUE(parsed) << body;
    EXPECT_EQ(parsed->account, "123456789012");
    EXPECT_EQ(parsed->region, "us-west-2");
    ASSERT_EQ(parsed->events.size(), 1U) << body;
    const Event& event = parsed->events.front();
    EXPECT_EQ(event.kind, EventKind::asg_terminate);
    EXPECT_EQ(event.key(), reference->events.front().key());  // so that they join one termination
    EXPECT_EQ(event.action->group, "workers-a");
    EXPECT_EQ(event.action->hook, "drain-hook");
    EXPECT_EQ(format_rfc3339(event.event_time), "2026-03-01T12:00:00Z");
  }
}

TEST(Envelope, TestNotificationsAreKnownByEitherField) {
  const std::vector<std::string> bodies = {
      test::sample("direct-asg-test-notification"), in_sns(test::sample("direct-asg-test-notification")),
      R"({"LifecycleTransition":"autoscaling:TEST_NOTIFICATION","AutoScalingGroupName":"asg-a","EC2InstanceId":"i-0123456789abcdef0"})"};
  for (const std::string& body : bodies) {
    const auto parsed = parse_message(body);
    ASSERT_TRUE(parsed) << body;
    EXPECT_EQ(parsed->content, parse::Content::test) << body;
    EXPECT_FALSE(parsed->because.empty()) << body;
    EXPECT_TRUE(parsed->events.empty()) << body;
  }
}

TEST(Envelope, ALaunchingActionComesInTheFlatFormToo) {
  json::value body = *parse_json(test::sample("direct-asg-terminate-lifecycle"));
  body.as_object()["LifecycleTransition"] = "autoscaling:EC2_INSTANCE_LAUNCHING";
  const auto parsed = parse_message(json::serialize(body));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->detail_type, "EC2 Instance-launch Lifecycle Action");
  ASSERT_EQ(parsed->events.size(), 1U);
  EXPECT_EQ(parsed->events.front().kind, EventKind::asg_launch);
}

TEST(Envelope, RubbishInsideANotificationIsNamedAsSuch) {
  for (const std::string inner : {"", "hello", "[]", "{", "{\"Type\":\"Notification\"}"}) {
    const auto parsed = parse_message(in_sns(inner));
    EXPECT_FALSE(parsed) << inner;
  }
  EXPECT_NE(parse_message(in_sns("hello")).error().text.find("SNS"), std::string::npos);
}

TEST(Envelope, ANotificationInANotificationIsNotUnwrappedTwice) {
  EXPECT_FALSE(parse_message(in_sns(in_sns(test::sample("direct-asg-terminate-lifecycle")))));
}

TEST(Envelope, AFlatFormWithoutATimeIsAnError) {
  json::value body = *parse_json(test::sample("direct-asg-terminate-lifecycle"));
  body.as_object().erase("Time");
  EXPECT_FALSE(parse_message(json::serialize(body)));
}

// Case 3, as it comes in one batch.
TEST(Envelope, TheWholeZooIsUnderstood) {
  using parse::Content;
  const std::pair<std::string, Content> bodies[] = {
      {R"({"Event":"autoscaling:TEST_NOTIFICATION","AutoScalingGroupName":"asg-a","Service":"AWS Auto Scaling","AccountId":"123456789012","Time":"2026-01-01T00:00:00Z"})",
       Content::test},
      {R"({"LifecycleTransition":"autoscaling:TEST_NOTIFICATION","AutoScalingGroupName":"asg-a","EC2InstanceId":"i-0123456789abcdef0"})",
       Content::test},
      {R"({"version":"0","source":"aws.ec2","detail-type":"EC2 Instance State-change Notification","detail":{"instance-id":"i-0123456789abcdef0","state":""}})",
       Content::nobodys},
      {R"({"version":"0","source":"aws.s3","detail-type":"Object Created","detail":"not-an-object"})",
       Content::other},
      {R"({"Type":"Notification","TopicArn":"arn:aws:sns:us-east-1:123456789012:t","Message":"{\"LifecycleHookName\":\"hook-a\",\"LifecycleTransition\":\"autoscaling:EC2_INSTANCE_TERMINATING\",\"AutoScalingGroupName\":\"asg-a\",\"EC2InstanceId\":\"i-0123456789abcdef0\",\"LifecycleActionToken\":\"00000000-0000-0000-0000-0000000000a1\",\"Time\":\"2026-01-01T00:00:00.000Z\"}"})",
       Content::events},
      {R"({"LifecycleHookName":"hook-b","LifecycleTransition":"autoscaling:EC2_INSTANCE_TERMINATING","AutoScalingGroupName":"asg-a","EC2InstanceId":"i-0123456789abcdef1","LifecycleActionToken":"00000000-0000-0000-0000-0000000000b1","Service":"AWS Auto Scaling","Time":"2026-01-01T00:00:00.000Z"})",
       Content::events},
  };
  for (const auto& [body, content] : bodies) {
    const auto parsed = parse_message(body);
    ASSERT_TRUE(parsed) << body << parsed.error().text;
    EXPECT_EQ(parsed->content, content) << body;
    EXPECT_EQ(parsed->events.size(), content == Content::events ? 1U : 0U) << body;
  }
}

}  // namespace
}  // namespace ferryman::termination
