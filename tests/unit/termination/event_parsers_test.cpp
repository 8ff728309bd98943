// SPDX-License-Identifier: Apache-2.0
// The kinds whose messages tell of one instance. AWS Health has a file of its own.
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "termination/parse/message_parser.h"
#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using parse::Content;
using parse::parse_message;

/// The sample's body with another value at `detail.<field>`; null takes the field away.
std::string with_detail(const std::string& name, std::string_view field, const json::value& value) {
  json::value body = *parse_json(test::sample(name));
  json::object& detail = body.get_object()["detail"].get_object();
  detail.erase(field);
  if (!value.is_null()) detail[field] = value;
  return json::serialize(body);
}

/// A body that holds exactly one event.
Event event_of(const std::string& body) {
  const auto parsed = parse_message(body);
  EXPECT_TRUE(parsed) << body;
  if (!parsed || parsed->events.size() != 1) {
    ADD_FAILURE() << "not one event: " << body;
    return {};
  }
  EXPECT_EQ(parsed->content, Content::events);
  EXPECT_EQ(parsed->because, "");
  EXPECT_EQ(parsed->time, parsed->events.front().event_time);
  return parsed->events.front();
}

std::string deadline_of(const Event& event) {
  return event.deadline ? format_rfc3339(*event.deadline) : "none";
}

TEST(SpotInterruption, LeavesTwoMinutesButNoneForAHibernation) {
  const Event event = event_of(test::sample("eventbridge-spot-interruption"));
  EXPECT_EQ(event.kind, EventKind::spot_interruption);
  EXPECT_EQ(event.instance_id.str(), "i-0123456789abcdef0");
  EXPECT_EQ(event.key(), "7bf73129-1428-4cd3-a780-95db273d1602");
  EXPECT_EQ(event.what, "terminate");
  EXPECT_EQ(deadline_of(event), "2026-03-01T12:02:00Z");
  EXPECT_FALSE(event.voluntary());
  const Event stop = event_of(with_detail("eventbridge-spot-interruption", "instance-action", "stop"));
  EXPECT_EQ(stop.what, "stop");
  EXPECT_EQ(deadline_of(stop), "2026-03-01T12:02:00Z");
  const Event hibernate = event_of(test::sample("eventbridge-spot-interruption-hibernate"));
  EXPECT_EQ(hibernate.what, "hibernate");
  EXPECT_EQ(deadline_of(hibernate), "2026-03-01T12:00:00Z");
}

TEST(SpotInterruption, AWordThatIsNotKnownYetIsAnInterruptionAllTheSame) {
  const Event event = event_of(with_detail("eventbridge-spot-interruption", "instance-action", "vanish"));
  EXPECT_EQ(event.what, "vanish");
  EXPECT_EQ(deadline_of(event), "2026-03-01T12:02:00Z");
  const Event without = event_of(with_detail("eventbridge-spot-interruption", "instance-action", nullptr));
  EXPECT_EQ(without.what, "");
  EXPECT_EQ(deadline_of(without), "2026-03-01T12:02:00Z");
}

TEST(RebalanceRecommendation, IsVoluntaryAndNamesNoDeadline) {
  const Event event = event_of(test::sample("eventbridge-rebalance-recommendation"));
  EXPECT_EQ(event.kind, EventKind::rebalance_recommendation);
  EXPECT_EQ(event.instance_id.str(), "i-0123456789abcdef0");
  EXPECT_TRUE(event.voluntary());
  EXPECT_EQ(deadline_of(event), "none");
}

TEST(StateChange, ExactlyTheFourStatesThatEndAnInstanceAreEvents) {
  for (const std::string state : {"stopping", "stopped", "shutting-down", "terminated"}) {
    const Event event = event_of(test::sample("eventbridge-state-change-" + state));
    EXPECT_EQ(event.kind, EventKind::state_change);
    EXPECT_EQ(event.what, state);
    EXPECT_FALSE(event.voluntary());
  }
  const json::value others[] = {"running",  "pending",          "stop", "", "Stopped",
                                "stopped ", "stopping,stopped", 7};
  for (const json::value& state : others) {
    const auto parsed = parse_message(with_detail("eventbridge-state-change-stopped", "state", state));
    ASSERT_TRUE(parsed) << state;
    EXPECT_EQ(parsed->content, Content::nobodys) << state;
    EXPECT_TRUE(parsed->events.empty()) << state;
  }
  EXPECT_EQ(parse_message(test::sample("eventbridge-state-change-running"))->because,
            "state \"running\" needs nothing done");
}

// Case 3.
TEST(StateChange, AnEmptyStateNeedsNoTimeToBeNobodys) {
  const auto parsed = parse_message(
      R"({"version":"0","source":"aws.ec2","detail-type":"EC2 Instance State-change Notification",)"
      R"("detail":{"instance-id":"i-0123456789abcdef0","state":""}})");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->content, Content::nobodys);
}

TEST(CapacityInterruption, EndsWhenItSays) {
  const std::string name = "eventbridge-capacity-reservation-interruption";
  const Event event = event_of(test::sample(name));
  EXPECT_EQ(event.kind, EventKind::capacity_reservation_interruption);
  EXPECT_EQ(event.instance_id.str(), "i-0123456789abcdef0");
  EXPECT_EQ(event.what, "terminate");
  EXPECT_EQ(deadline_of(event), "2026-03-01T12:02:00Z");
  const std::string field = "instance-termination-time";
  EXPECT_EQ(deadline_of(event_of(with_detail(name, field, "2026-03-01T12:30:00Z"))), "2026-03-01T12:30:00Z");
  EXPECT_EQ(deadline_of(event_of(with_detail(name, field, "soon"))), "2026-03-01T12:02:00Z");
  EXPECT_EQ(deadline_of(event_of(with_detail(name, field, nullptr))), "2026-03-01T12:02:00Z");
}

TEST(LifecycleActions, TellWhereTheInstanceComesFromAndGoes) {
  const Event launch = event_of(test::sample("eventbridge-asg-launch-lifecycle"));
  EXPECT_EQ(launch.kind, EventKind::asg_launch);
  ASSERT_TRUE(launch.action);
  EXPECT_EQ(launch.action->transition, "autoscaling:EC2_INSTANCE_LAUNCHING");
  EXPECT_EQ(launch.action->origin, "EC2");
  EXPECT_EQ(launch.action->destination, "AutoScalingGroup");
  EXPECT_EQ(launch.key(), "87654321-4321-4321-4321-210987654321");
  const Event pooled = event_of(test::sample("eventbridge-asg-terminate-lifecycle-warm-pool"));
  EXPECT_EQ(pooled.kind, EventKind::asg_terminate);
  ASSERT_TRUE(pooled.action);
  EXPECT_EQ(pooled.action->origin, "AutoScalingGroup");
  EXPECT_EQ(pooled.action->destination, "WarmPool");
}

TEST(EventParsers, AMissingOrGarbledInstanceIsAnErrorThatNamesTheField) {
  const char* names[] = {"eventbridge-spot-interruption", "eventbridge-rebalance-recommendation",
                         "eventbridge-state-change-stopped", "eventbridge-capacity-reservation-interruption"};
  const json::value wrong[] = {nullptr, "", "i-", "i-0123456789ABCDEF0", "ip-10-0-0-1", 7};
  for (const char* name : names) {
    for (const json::value& id : wrong) {
      const auto parsed = parse_message(with_detail(name, "instance-id", id));
      ASSERT_FALSE(parsed) << name << " " << id;
      EXPECT_EQ(parsed.error().fault, Fault::invalid);
      EXPECT_NE(parsed.error().text.find("detail.instance-id"), std::string::npos) << parsed.error().text;
    }
  }
}

TEST(EventParsers, WithoutATimeOrAnIdThereIsNoEvent) {
  const char* names[] = {"eventbridge-spot-interruption", "eventbridge-rebalance-recommendation",
                         "eventbridge-state-change-stopped", "eventbridge-capacity-reservation-interruption"};
  for (const char* name : names) {
    for (const char* field : {"time", "id"}) {
      json::value body = *parse_json(test::sample(name));
      body.get_object().erase(field);
      const auto parsed = parse_message(json::serialize(body));
      ASSERT_FALSE(parsed) << name << " without " << field;
      EXPECT_NE(parsed.error().text.find(field), std::string::npos) << parsed.error().text;
    }
  }
}

TEST(EventParsers, AWordThatIsKeptIsShort) {
  const std::string endless(100'000, 'x');
  const Event event =
      event_of(with_detail("eventbridge-spot-interruption", "instance-action", json::value(endless)));
  EXPECT_LT(event.what.size(), 100U);
  const auto state =
      parse_message(with_detail("eventbridge-state-change-stopped", "state", json::value(endless)));
  ASSERT_TRUE(state);
  EXPECT_LT(state->because.size(), 150U);
}

}  // namespace
}  // namespace ferryman::termination
