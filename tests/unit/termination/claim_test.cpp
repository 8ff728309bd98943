// SPDX-License-Identifier: Apache-2.0
#include "termination/claim.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using test::terminate_event;

Claim full_claim() {
  Claim claim;
  claim.events = {terminate_event(1), terminate_event(1, "backup-hook")};
  claim.started = *parse_rfc3339("2026-03-01T12:00:01.250Z");
  claim.deadline = *parse_rfc3339("2026-03-01T13:00:00Z");
  claim.cordoned = true;
  claim.excluded = true;
  claim.no_execute = true;
  claim.out_of_service = true;
  claim.deregistered = {{BalancerType::network, "arn:aws:elasticloadbalancing:…/tcp", 443},
                        {BalancerType::classic, "old", 0}};
  claim.left_at = *parse_rfc3339("2026-03-01T12:00:03Z");
  claim.steps = {"cordon", "drain"};
  return claim;
}

TEST(Claim, ComesBackAsItWasWritten) {
  Claim claim = full_claim();
  claim.closed = *parse_rfc3339("2026-03-01T12:10:00Z");
  const auto read = decode_claim(encode(claim));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->events.size(), 2U);
  EXPECT_EQ(read->events[1].action->hook, "backup-hook");
  EXPECT_EQ(read->events[1].action->instance_id, test::instance(1));
  EXPECT_EQ(read->events[0].key(), claim.events[0].key());
  EXPECT_EQ(read->events[0].event_time, claim.events[0].event_time);
  EXPECT_EQ(read->started, claim.started);
  EXPECT_EQ(read->deadline, claim.deadline);
  EXPECT_TRUE(read->cordoned);
  EXPECT_FALSE(read->tainted);
  EXPECT_TRUE(read->excluded);
  EXPECT_TRUE(read->no_execute);
  EXPECT_TRUE(read->out_of_service);
  EXPECT_EQ(read->deregistered, claim.deregistered);
  EXPECT_EQ(read->left_at, claim.left_at);
  EXPECT_EQ(read->steps, claim.steps);
  EXPECT_EQ(read->closed, claim.closed);
}

TEST(Claim, AnEventWithoutAnActionStaysOne) {
  Claim claim = full_claim();
  claim.events = {terminate_event(1)};
  claim.events[0].kind = EventKind::spot_interruption;
  claim.events[0].action.reset();
  const auto read = decode_claim(encode(claim));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->events[0].kind, EventKind::spot_interruption);
  EXPECT_FALSE(read->events[0].action);
}

TEST(Claim, UnknownFieldsOfANewerVersionAreIgnored) {
  json::value text = *parse_json(encode(full_claim()));
  text.get_object()["targets"] = {1, 2, 3};
  text.get_object()["version"] = 2;
  EXPECT_TRUE(decode_claim(json::serialize(text)));
}

TEST(Claim, GarbageIsAnErrorThatSaysWhere) {
  const std::string whole = encode(full_claim());
  for (const std::string& text : {std::string(), std::string("{}"), std::string("null"), std::string("[]"),
                                  std::string(R"({"events":[]})"), std::string(R"({"events":[7]})"),
                                  std::string(R"({"events":{}})"), whole.substr(0, whole.size() - 3)}) {
    const auto read = decode_claim(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().fault, Fault::invalid);
    EXPECT_TRUE(read.error().text.starts_with("reading a claim: ")) << read.error().text;
  }
}

TEST(Claim, AWrongTypeAtAnyFieldNeverCrashes) {
  const json::value whole = *parse_json(encode(full_claim()));
  const std::string wrong_values[] = {"null", "true", "7", "\"x\"", "[]", "{}"};
  for (const std::string& text : wrong_values) {
    const json::value wrong = *parse_json(text);
    for (const auto& member : whole.get_object()) {
      json::value claim = whole;
      claim.get_object()[member.key()] = wrong;
      const auto read = decode_claim(json::serialize(claim));
      const bool required =
          member.key() == "events" || member.key() == "started" || member.key() == "deadline";
      EXPECT_EQ(read.ok(), !required) << member.key() << " = " << text;
    }
    for (const char* key : {"kind", "instance", "time"}) {
      json::value claim = whole;
      claim.get_object()["events"].get_array()[0].get_object()[key] = wrong;
      EXPECT_FALSE(decode_claim(json::serialize(claim))) << key << " = " << text;
    }
  }
}

// Open again and again would be worse than closed once too often: the work was over when it was written.
TEST(Claim, AnUnreadableClosingTimeStillCloses) {
  json::value text = *parse_json(encode(full_claim()));
  text.get_object()["closed"] = "yesterday";
  const auto read = decode_claim(json::serialize(text));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->closed);
}

}  // namespace
}  // namespace ferryman::termination
