// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/message_parser.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using parse::parse_message;
using test::body_of;
using test::terminate_event;

/// The event's body after `edit`.
std::string edited(void (*edit)(json::object& body)) {
  json::value body = *parse_json(body_of(terminate_event(1)));
  edit(body.get_object());
  return json::serialize(body);
}

TEST(MessageParser, ReadsTheSampleOfATerminateLifecycleAction) {
  const auto parsed = parse_message(test::sample("eventbridge-asg-terminate-lifecycle"));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->account, "123456789012");
  EXPECT_EQ(parsed->region, "us-west-2");
  ASSERT_EQ(parsed->events.size(), 1U);
  const Event& event = parsed->events.front();
  EXPECT_EQ(event.kind, EventKind::asg_terminate);
  EXPECT_EQ(event.instance_id.str(), "i-0123456789abcdef0");
  EXPECT_EQ(event.event_id, "7bf73129-1428-4cd3-a780-95db273d1602");
  EXPECT_EQ(format_rfc3339(event.event_time), "2026-03-01T12:00:00Z");
  ASSERT_TRUE(event.action);
  EXPECT_EQ(event.action->group, "workers-a");
  EXPECT_EQ(event.action->hook, "drain-hook");
  EXPECT_EQ(event.action->token, "87654321-4321-4321-4321-210987654321");
  EXPECT_EQ(event.action->transition, "autoscaling:EC2_INSTANCE_TERMINATING");
  EXPECT_EQ(event.action->instance_id, event.instance_id);
}

TEST(MessageParser, OtherSourcesAndDetailTypesHoldNoEvent) {
  const std::string other_source = edited([](json::object& body) { body["source"] = "aws.s3"; });
  const std::string other_type = edited([](json::object& body) { body["detail-type"] = "Object Created"; });
  for (const std::string& body : {other_source, other_type}) {
    const auto parsed = parse_message(body);
    ASSERT_TRUE(parsed) << body;
    EXPECT_EQ(parsed->content, parse::Content::other) << body;
    EXPECT_NE(parsed->because.find("none of the events"), std::string::npos) << parsed->because;
    EXPECT_TRUE(parsed->events.empty()) << body;
  }
}

// EC2 tells of Capacity Blocks too, but then ends their instances with warnings of their own.
TEST(MessageParser, ACapacityBlockThatExpiresIsNotActedOn) {
  const auto parsed = parse_message(
      R"({"source":"aws.ec2","detail-type":"Capacity Block Reservation Expiration Warning","time":"2026-03-01T12:00:00Z",)"
      R"("resources":["arn:aws:ec2:us-west-2:123456789012:capacity-reservation/cr-0"],"detail":{"end-date":"2026-03-01T13:00:00Z"}})");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->content, parse::Content::other);
  EXPECT_EQ(parsed->detail_type, "Capacity Block Reservation Expiration Warning");
  EXPECT_EQ(format_rfc3339(parsed->time), "2026-03-01T12:00:00Z");
}

// Case 3: nobody has to know the time of what nobody acts on.
TEST(MessageParser, AnUnknownEventNeedsNoTimeAndNoDetail) {
  const auto parsed = parse_message(
      R"({"version":"0","source":"aws.s3","detail-type":"Object Created","detail":"not-an-object"})");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->content, parse::Content::other);
  EXPECT_EQ(parsed->source, "aws.s3");
  EXPECT_EQ(parsed->time, WallTime{});
}

TEST(MessageParser, WhatIsNoEventIsAnError) {
  const std::string whole = body_of(terminate_event(1));
  const std::string cut_off = whole.substr(0, whole.size() / 2);
  const std::string not_utf8 = "{\"source\":\"\xff\xfe\",\"detail-type\":\"x\"}";
  const std::string two_values = whole + whole;
  const std::string zeros(64, '\0');
  for (const std::string& body : {std::string(), std::string("null"), std::string("[]"), std::string("7"),
                                  std::string("{}"), cut_off, not_utf8, two_values, zeros}) {
    const auto parsed = parse_message(body);
    ASSERT_FALSE(parsed) << body;
    EXPECT_EQ(parsed.error().fault, Fault::invalid) << body;
    EXPECT_FALSE(parsed.error().text.empty());
  }
}

TEST(MessageParser, HugeAndDeepBodiesAreRefused) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20U;
  EXPECT_FALSE(parse_message(std::string(mebibyte, '{')));
  EXPECT_FALSE(parse_message(std::string(mebibyte, '[')));
  const std::string padded = body_of(terminate_event(1)) + std::string(mebibyte, ' ');
  const auto too_long = parse_message(padded);
  ASSERT_FALSE(too_long);
  EXPECT_NE(too_long.error().text.find("more than SQS carries"), std::string::npos);
}

TEST(MessageParser, ErrorsNameTheFieldThatIsMissing) {
  struct Case {
    const char* field;
    void (*drop)(json::object&);
  };
  const Case cases[] = {
      {"source", [](json::object& body) { body.erase("source"); }},
      {"detail-type", [](json::object& body) { body.erase("detail-type"); }},
      {"time", [](json::object& body) { body.erase("time"); }},
      {"EC2InstanceId", [](json::object& body) { body.erase("detail"); }},
      {"EC2InstanceId", [](json::object& body) { body["detail"].get_object().erase("EC2InstanceId"); }},
      {"AutoScalingGroupName",
       [](json::object& body) { body["detail"].get_object().erase("AutoScalingGroupName"); }},
      {"LifecycleHookName",
       [](json::object& body) { body["detail"].get_object().erase("LifecycleHookName"); }},
  };
  for (const Case& missing : cases) {
    const auto parsed = parse_message(edited(missing.drop));
    ASSERT_FALSE(parsed) << missing.field;
    EXPECT_NE(parsed.error().text.find(missing.field), std::string::npos) << parsed.error().text;
  }
}

TEST(MessageParser, AWrongTypeAtAnyFieldIsAnErrorOrAnEventWithoutThatField) {
  const json::value whole = *parse_json(body_of(terminate_event(1)));
  const std::string wrong_values[] = {"null", "true", "-1", "1e300", "[]", "{}", "[\"i-0\"]"};
  for (const std::string& text : wrong_values) {
    const json::value wrong = *parse_json(text);
    for (const auto& member : whole.get_object()) {
      json::value body = whole;
      body.get_object()[member.key()] = wrong;
      (void)parse_message(json::serialize(body));
    }
    for (const auto& member : whole.get_object().at("detail").get_object()) {
      json::value body = whole;
      body.get_object()["detail"].get_object()[member.key()] = wrong;
      const auto parsed = parse_message(json::serialize(body));
      const bool optional = member.key() == "LifecycleActionToken" || member.key() == "LifecycleTransition";
      EXPECT_EQ(parsed.ok(), optional) << member.key() << " = " << text;
    }
  }
}

TEST(MessageParser, TheTokenIsOptionalAndTheEventIdTakesItsPlace) {
  const auto parsed = parse_message(
      edited([](json::object& body) { body["detail"].get_object().erase("LifecycleActionToken"); }));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->events.front().key(), "event-1-drain-hook");
}

// Two such events could not be told apart: the second would pass for a repetition of the first.
TEST(MessageParser, WithoutTokenAndEventIdThereIsNoEvent) {
  const auto parsed = parse_message(edited([](json::object& body) {
    body.erase("id");
    body["detail"].get_object().erase("LifecycleActionToken");
  }));
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().text.find("LifecycleActionToken"), std::string::npos);
}

// What a claim holds must fit into an annotation: 256 KiB for all of a Node's.
TEST(MessageParser, NamesLongerThanAwsAllowsAreRefused) {
  for (const char* field : {"AutoScalingGroupName", "LifecycleHookName", "LifecycleActionToken"}) {
    json::value body = *parse_json(body_of(terminate_event(1)));
    body.get_object()["detail"].get_object()[field] = std::string(100'000, 'a');
    const auto parsed = parse_message(json::serialize(body));
    ASSERT_FALSE(parsed) << field;
    EXPECT_NE(parsed.error().text.find(field), std::string::npos);
    EXPECT_LT(parsed.error().text.size(), 300U);
  }
}

TEST(MessageParser, ALyingInstanceIdIsQuotedShortened) {
  json::value body = *parse_json(body_of(terminate_event(1)));
  body.get_object()["detail"].get_object()["EC2InstanceId"] = std::string(500'000, 'i');
  const auto parsed = parse_message(json::serialize(body));
  ASSERT_FALSE(parsed);
  EXPECT_LT(parsed.error().text.size(), 300U);
}

TEST(EventKinds, NamesAreReadBack) {
  for (std::size_t i = 0; i < event_kinds; ++i) {
    const auto kind = static_cast<EventKind>(i);
    EXPECT_EQ(parse_event_kind(name_of(kind)), kind);
  }
  EXPECT_FALSE(parse_event_kind("asg_terminate"));
}

}  // namespace
}  // namespace ferryman::termination
