// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/health_event.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "termination/parse/message_parser.h"
#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using parse::Content;
using parse::parse_message;
using parse::ParsedMessage;

constexpr auto retirement =
    "arn:aws:health:us-west-2::event/EC2/AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED/"
    "AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED_90353408594353980";

/// The retirement's body after `edit` of its detail.
template <class Edit>
std::string edited(Edit edit) {
  json::value body = *parse_json(test::sample("eventbridge-health-scheduled-change"));
  edit(body.get_object()["detail"].get_object());
  return json::serialize(body);
}

ParsedMessage parsed(const std::string& body) {
  auto message = parse_message(body);
  EXPECT_TRUE(message) << (message ? std::string() : message.error().text);
  return message ? std::move(*message) : ParsedMessage();
}

/// The plan of the first event.
ScheduledChange change_of(const std::string& body) {
  const ParsedMessage message = parsed(body);
  if (message.events.empty() || !message.events.front().change) {
    ADD_FAILURE() << "no scheduled change: " << message.because;
    return {};
  }
  return *message.events.front().change;
}

TEST(HealthEvent, EachInstanceOfAPlanIsAnEvent) {
  const ParsedMessage message = parsed(test::sample("eventbridge-health-scheduled-change"));
  EXPECT_EQ(message.content, Content::events);
  EXPECT_EQ(message.region, "us-west-2");
  ASSERT_EQ(message.events.size(), 2U);
  EXPECT_EQ(message.events[0].instance_id.str(), "i-0123456789abcdef0");
  EXPECT_EQ(message.events[1].instance_id.str(), "i-0fedcba9876543210");
  for (const Event& event : message.events) {
    EXPECT_EQ(event.kind, EventKind::scheduled_change);
    EXPECT_TRUE(event.voluntary());
    ASSERT_TRUE(event.change);
    EXPECT_EQ(event.change->plan, retirement);
    EXPECT_EQ(event.change->code, "AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED");
    EXPECT_EQ(format_rfc3339(event.change->starts), "2026-03-01T13:00:00Z");
    ASSERT_TRUE(event.change->ends);
    EXPECT_EQ(format_rfc3339(*event.change->ends), "2026-03-01T15:00:00Z");
    EXPECT_FALSE(event.change->cancelled);
  }
}

// Case 10: eleven days ahead, and nothing is known of the end.
TEST(HealthEvent, AnEmptyEndTimeIsNone) {
  const ParsedMessage message = parsed(
      R"({"version":"0","id":"00000000-0000-0000-0000-000000000010","detail-type":"AWS Health Event","source":"aws.health",
 "account":"123456789012","time":"2026-01-01T00:00:00Z","region":"us-east-1","resources":["i-0123456789abcdef0","i-0123456789abcdef1","i-0fedcba9876543210"],
 "detail":{"eventArn":"arn:aws:health:us-east-1::event/EC2/AWS_EC2_INSTANCE_STOP_SCHEDULED/x","service":"EC2",
  "eventTypeCode":"AWS_EC2_INSTANCE_STOP_SCHEDULED","eventTypeCategory":"scheduledChange",
  "startTime":"Mon, 12 Jan 2026 00:00:00 GMT","endTime":"",
  "affectedEntities":[{"entityValue":"i-0123456789abcdef0"},{"entityValue":"i-0123456789abcdef1"},{"entityValue":"i-0fedcba9876543210"}]}})");
  EXPECT_EQ(message.region, "us-east-1");
  ASSERT_EQ(message.events.size(), 3U);
  EXPECT_EQ(format_rfc3339(message.events[2].change->starts), "2026-01-12T00:00:00Z");
  EXPECT_FALSE(message.events[2].change->ends);
  EXPECT_EQ(change_of(edited([](json::object& d) { d.erase("endTime"); })).ends, std::nullopt);
  EXPECT_EQ(change_of(edited([](json::object& d) { d["endTime"] = "later"; })).ends, std::nullopt);
}

TEST(HealthEvent, DatesAreReadInBothForms) {
  const auto change = change_of(edited([](json::object& d) { d["startTime"] = "2026-03-02T01:02:03Z"; }));
  EXPECT_EQ(format_rfc3339(change.starts), "2026-03-02T01:02:03Z");
}

TEST(HealthEvent, AMissingStartIsTheNoticesOwnTimeAndAGarbledOneAnError) {
  const auto missing = change_of(edited([](json::object& d) {
    d.erase("startTime");
    d["statusCode"] = "open";
  }));
  EXPECT_EQ(format_rfc3339(missing.starts), "2026-03-01T12:00:00Z");
  const auto garbled = parse_message(edited([](json::object& d) { d["startTime"] = "soon"; }));
  ASSERT_FALSE(garbled);
  EXPECT_NE(garbled.error().text.find("detail.startTime is no time: \"soon\""), std::string::npos);
}

TEST(HealthEvent, OfOtherServicesAndCategoriesNothingIsActedOn) {
  const ParsedMessage lambda = parsed(test::sample("eventbridge-health-other-service"));
  EXPECT_EQ(lambda.content, Content::other);
  EXPECT_EQ(lambda.because, "AWS Health tells of service \"LAMBDA\", not of EC2");
  for (const char* category : {"issue", "accountNotification", "investigation", ""}) {
    const ParsedMessage message = parsed(edited([&](json::object& d) { d["eventTypeCategory"] = category; }));
    EXPECT_EQ(message.content, Content::other) << category;
    EXPECT_TRUE(message.events.empty()) << category;
    EXPECT_NE(message.because.find("not a scheduledChange"), std::string::npos);
  }
}

TEST(HealthEvent, ACopyForTheBackupRegionIsNobodysAndTellsTheEventsRegion) {
  const ParsedMessage copy = parsed(test::sample("eventbridge-health-scheduled-change-backup-region"));
  EXPECT_EQ(copy.content, Content::nobodys);
  EXPECT_TRUE(copy.events.empty());
  EXPECT_EQ(copy.region, "us-west-2");
  EXPECT_NE(copy.because.find("backup region us-east-1"), std::string::npos) << copy.because;
  EXPECT_EQ(parsed(edited([](json::object& d) { d["backupEvent"] = true; })).content, Content::nobodys);
  EXPECT_EQ(parsed(edited([](json::object& d) { d["backupEvent"] = "false"; })).events.size(), 2U);
}

TEST(HealthEvent, WhatIsNoInstanceIsSkippedAndNamedTwiceIsOnce) {
  const ParsedMessage message = parsed(edited([](json::object& d) {
    d["affectedEntities"] = json::array{
        json::object{{"entityValue", "vol-0123456789abcdef0"}},
        json::object{{"entityValue", 7}},
        "i-0123456789abcdef1",
        json::object{{"entityValue", "i-0123456789abcdef2"}},
        json::object{{"entityValue", "i-0123456789abcdef2"}},
        json::object{{"entityValue", "arn:aws:ec2:us-west-2:123456789012:instance/i-0123456789abcdef3"}}};
  }));
  ASSERT_EQ(message.events.size(), 2U);
  EXPECT_EQ(message.events[0].instance_id.str(), "i-0123456789abcdef2");
  EXPECT_EQ(message.events[1].instance_id.str(), "i-0123456789abcdef3");
}

TEST(HealthEvent, WithoutEntitiesTheResourcesCountAndWithoutBothNothing) {
  const ParsedMessage fallback =
      parsed(edited([](json::object& d) { d["affectedEntities"] = json::array{}; }));
  EXPECT_EQ(fallback.events.size(), 2U);
  json::value body = *parse_json(test::sample("eventbridge-health-scheduled-change"));
  body.get_object()["detail"].get_object().erase("affectedEntities");
  body.get_object()["resources"] = "i-0123456789abcdef0";
  EXPECT_EQ(parsed(json::serialize(body)).events.size(), 1U);
  body.get_object()["resources"] = json::array{"vol-0123456789abcdef0", 7};
  const ParsedMessage none = parsed(json::serialize(body));
  EXPECT_EQ(none.content, Content::other);
  EXPECT_EQ(none.because, "a scheduled change of EC2's that names no instance");
}

TEST(HealthEvent, ClosedCancelsForAllAndResolvedForOneInstance) {
  const ParsedMessage closed = parsed(test::sample("eventbridge-health-scheduled-change-closed"));
  ASSERT_EQ(closed.events.size(), 2U);
  EXPECT_TRUE(closed.events[0].change->cancelled);
  EXPECT_TRUE(closed.events[1].change->cancelled);
  const ParsedMessage resolved = parsed(edited(
      [](json::object& d) { d["affectedEntities"].get_array()[1].get_object()["status"] = "RESOLVED"; }));
  ASSERT_EQ(resolved.events.size(), 2U);
  EXPECT_FALSE(resolved.events[0].change->cancelled);
  EXPECT_TRUE(resolved.events[1].change->cancelled);
}

// "page": a long list comes in parts, each with an id of its own.
TEST(HealthEvent, ALaterNoticeOfAPlanIsAnotherEventOnlyIfItSaysSomethingElse) {
  const auto key = [](const std::string& body) { return parsed(body).events.at(0).key(); };
  const std::string first = key(test::sample("eventbridge-health-scheduled-change"));
  json::value page = *parse_json(test::sample("eventbridge-health-scheduled-change"));
  page.get_object()["id"] = "another";
  page.get_object()["detail"].get_object()["page"] = "2";
  EXPECT_EQ(key(json::serialize(page)), first);
  EXPECT_NE(key(edited([](json::object& d) { d["startTime"] = "Sun, 1 Mar 2026 14:00:00 GMT"; })), first);
  EXPECT_NE(key(test::sample("eventbridge-health-scheduled-change-closed")), first);
}

TEST(HealthEvent, WithoutAPlanTheEventsIdTakesItsPlaceAndAnEndlessOneIsRefused) {
  EXPECT_EQ(change_of(edited([](json::object& d) { d.erase("eventArn"); })).plan,
            "7bf73129-1428-4cd3-a780-95db273d1602");
  const auto endless =
      parse_message(edited([](json::object& d) { d["eventArn"] = std::string(10'000, 'a'); }));
  ASSERT_FALSE(endless);
  EXPECT_NE(endless.error().text.find("detail.eventArn has 10000 bytes"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::termination
