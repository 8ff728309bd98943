// SPDX-License-Identifier: Apache-2.0
#include "termination/decision.h"

#include <gtest/gtest.h>

#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;

constexpr auto on_spot = "ferryman.dev/on-spot-interruption";

WallTime at(std::string_view text) {
  return *parse_rfc3339(text);
}

Event event_of(EventKind kind) {
  Event event;
  event.kind = kind;
  event.instance_id = test::instance(1);
  event.event_time = at("2026-03-01T12:00:00Z");
  return event;
}

Event planned(std::string code, std::string_view starts) {
  Event event = event_of(EventKind::scheduled_change);
  event.change.emplace();
  event.change->code = std::move(code);
  event.change->starts = at(starts);
  return event;
}

std::string due(const Event& event, const Policy& policy = {}) {
  const auto time = due_at(event, policy);
  return time ? format_rfc3339(*time) : "never";
}

TEST(ActionFor, EachKindHasItsDefault) {
  const std::pair<EventKind, Action> defaults[] = {
      {EventKind::asg_terminate, Action::drain},
      {EventKind::spot_interruption, Action::drain},
      {EventKind::rebalance_recommendation, Action::ignore},
      {EventKind::scheduled_change, Action::drain},
      {EventKind::state_change, Action::drain},
      {EventKind::capacity_reservation_interruption, Action::drain},
      {EventKind::instance_status, Action::ignore},
  };
  for (const auto& [kind, action] : defaults) {
    const Decision decision = action_for(event_of(kind), Policy(), {}, {});
    EXPECT_EQ(decision.action, action) << name_of(kind);
    EXPECT_EQ(decision.by, "setting on-" + std::string(name_of(kind)));
    EXPECT_FALSE(decision.complete);
  }
}

TEST(ActionFor, TheNodesLabelWinsOverTheGroupsTagAndThatOverTheSetting) {
  const Event spot = event_of(EventKind::spot_interruption);
  const Tags tags = {{"team", "a"}, {on_spot, "taint"}};
  const Decision by_tag = action_for(spot, Policy(), {}, tags);
  EXPECT_EQ(by_tag.action, Action::taint);
  EXPECT_EQ(by_tag.by, "tag ferryman.dev/on-spot-interruption");
  const Decision by_label = action_for(spot, Policy(), {{on_spot, "cordon"}}, tags);
  EXPECT_EQ(by_label.action, Action::cordon);
  EXPECT_EQ(by_label.by, "label ferryman.dev/on-spot-interruption");
  EXPECT_EQ(action_for(event_of(EventKind::state_change), Policy(), {{on_spot, "cordon"}}, tags).action,
            Action::drain);
}

TEST(ActionFor, AnUnreadableWordCountsForNothingAndIsTold) {
  const Event spot = event_of(EventKind::spot_interruption);
  const Decision decision = action_for(spot, Policy(), {{on_spot, "Drain"}}, {{on_spot, ""}});
  EXPECT_EQ(decision.action, Action::drain);
  EXPECT_EQ(decision.by, "setting on-spot-interruption");
  EXPECT_EQ(
      decision.unreadable,
      "label ferryman.dev/on-spot-interruption: \"Drain\" counts for nothing; write ignore, taint, cordon or "
      "drain; tag ferryman.dev/on-spot-interruption: \"\" counts for nothing; write ignore, taint, cordon or "
      "drain");
  const Decision saved = action_for(spot, Policy(), {{on_spot, "?"}}, {{on_spot, "ignore"}});
  EXPECT_EQ(saved.action, Action::ignore);
  EXPECT_NE(saved.unreadable.find("label"), std::string::npos);
}

TEST(ActionFor, ALaunchIsCompletedOrIgnored) {
  const Event launch = event_of(EventKind::asg_launch);
  Policy policy;
  EXPECT_TRUE(action_for(launch, policy, {}, {}).complete);
  EXPECT_FALSE(action_for(launch, policy, {}, {{"ferryman.dev/on-asg-launch", "ignore"}}).complete);
  policy.complete_launches = false;
  EXPECT_FALSE(action_for(launch, policy, {}, {}).complete);
  EXPECT_TRUE(action_for(launch, policy, {}, {{"ferryman.dev/on-asg-launch", "complete"}}).complete);
  EXPECT_NE(action_for(launch, policy, {}, {{"ferryman.dev/on-asg-launch", "drain"}}).unreadable, "");
}

TEST(LeadTimes, RetirementsAndStopsAreDueAtOnce) {
  for (const char* code :
       {"AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED", "AWS_EC2_PERSISTENT_INSTANCE_RETIREMENT_SCHEDULED",
        "AWS_EC2_INSTANCE_RETIREMENT_EXPEDITED", "AWS_EC2_DEDICATED_HOST_RETIREMENT_SCHEDULED",
        "AWS_EC2_INSTANCE_STOP_SCHEDULED", "AWS_EC2_INSTANCE_TERMINATION_SCHEDULED", "instance-retirement",
        "instance-stop"}) {
    EXPECT_EQ(due(planned(code, "2026-03-12T00:00:00Z")), "2026-03-01T12:00:00Z") << code;
  }
}

TEST(LeadTimes, RebootsAndWhatIsNotKnownAreDueTenMinutesBefore) {
  for (const char* code : {"AWS_EC2_INSTANCE_REBOOT_MAINTENANCE_SCHEDULED",
                           "AWS_EC2_INSTANCE_REBOOT_FLEXIBLE_MAINTENANCE_SCHEDULED",
                           "AWS_EC2_SYSTEM_REBOOT_MAINTENANCE_SCHEDULED", "instance-reboot", "system-reboot",
                           "AWS_EC2_SOMETHING_NEW", ""}) {
    EXPECT_EQ(due(planned(code, "2026-03-12T00:00:00Z")), "2026-03-11T23:50:00Z") << code;
  }
}

TEST(LeadTimes, NetworkAndPowerAreNeverDue) {
  for (const char* code : {"AWS_EC2_INSTANCE_NETWORK_MAINTENANCE_SCHEDULED",
                           "AWS_EC2_DEDICATED_HOST_NETWORK_MAINTENANCE_SCHEDULED",
                           "AWS_EC2_INSTANCE_POWER_MAINTENANCE_SCHEDULED",
                           "AWS_EC2_PERSISTENT_INSTANCE_POWER_MAINTENANCE_SCHEDULED",
                           "AWS_EC2_SYSTEM_MAINTENANCE_EVENT", "system-maintenance"}) {
    EXPECT_EQ(due(planned(code, "2026-03-12T00:00:00Z")), "never") << code;
  }
}

TEST(LeadTimes, TheFirstOfThePolicysThatFitsWinsOverTheDefaults) {
  Policy policy;
  policy.lead_times = {{"AWS_EC2_INSTANCE_STOP_*", 2h},
                       {"AWS_EC2_*POWER*", Duration::max()},
                       {"AWS_EC2_INSTANCE_*", std::nullopt}};
  EXPECT_EQ(due(planned("AWS_EC2_INSTANCE_STOP_SCHEDULED", "2026-03-12T00:00:00Z"), policy),
            "2026-03-11T22:00:00Z");
  EXPECT_EQ(due(planned("AWS_EC2_INSTANCE_POWER_MAINTENANCE_SCHEDULED", "2026-03-12T00:00:00Z"), policy),
            "2026-03-01T12:00:00Z");
  EXPECT_EQ(due(planned("AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED", "2026-03-12T00:00:00Z"), policy), "never");
  EXPECT_EQ(due(planned("instance-reboot", "2026-03-12T00:00:00Z"), policy), "2026-03-11T23:50:00Z");
}

TEST(DueAt, WhatIsNearIsDueWhenItIsToldAndWhatIsCancelledNever) {
  EXPECT_EQ(due(planned("instance-reboot", "2026-03-01T12:05:00Z")), "2026-03-01T12:00:00Z");
  EXPECT_EQ(due(planned("instance-reboot", "2026-02-20T00:00:00Z")), "2026-03-01T12:00:00Z");
  Event cancelled = planned("instance-stop", "2026-03-12T00:00:00Z");
  cancelled.change->cancelled = true;
  EXPECT_EQ(due(cancelled), "never");
  EXPECT_EQ(due(event_of(EventKind::spot_interruption)), "2026-03-01T12:00:00Z");
}

}  // namespace
}  // namespace ferryman::termination
