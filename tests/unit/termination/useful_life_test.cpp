// SPDX-License-Identifier: Apache-2.0
#include "termination/useful_life.h"

#include <gtest/gtest.h>

#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;

const WallTime noon = *parse_rfc3339("2026-03-01T12:00:00Z");

/// How long after noon.
Duration life_of(const Event& event) {
  return end_of_life(event) - noon;
}

Event event_of(EventKind kind) {
  Event event;
  event.kind = kind;
  event.event_time = noon;
  return event;
}

Event planned(Duration starts_in, std::optional<Duration> ends_in) {
  Event event = event_of(EventKind::scheduled_change);
  event.change.emplace();
  event.change->starts = noon + starts_in;
  if (ends_in) event.change->ends = noon + *ends_in;
  return event;
}

TEST(UsefulLife, OfEachKindIsAsLongAsSomebodyCanActOnIt) {
  EXPECT_EQ(life_of(event_of(EventKind::spot_interruption)), 5min);
  EXPECT_EQ(life_of(event_of(EventKind::capacity_reservation_interruption)), 5min);
  EXPECT_EQ(life_of(event_of(EventKind::state_change)), 10min);
  EXPECT_EQ(life_of(event_of(EventKind::rebalance_recommendation)), 30min);
  EXPECT_EQ(life_of(event_of(EventKind::asg_terminate)), 48h);
  EXPECT_EQ(life_of(event_of(EventKind::asg_launch)), 48h);
}

TEST(UsefulLife, OfACapacityInterruptionLastsUntilItsOwnEnd) {
  Event late = event_of(EventKind::capacity_reservation_interruption);
  late.deadline = noon + 30min;
  EXPECT_EQ(life_of(late), 30min);
}

TEST(UsefulLife, OfAScheduledChangeLastsUntilItsWindowIsOver) {
  EXPECT_EQ(life_of(planned(24h, 30h)), 30h);
  EXPECT_EQ(life_of(planned(264h, std::nullopt)), 288h);
  EXPECT_EQ(life_of(planned(24h, 24h)), 48h);  // an end that is none
  Event cancelled = planned(264h, 300h);
  cancelled.change->cancelled = true;
  EXPECT_EQ(life_of(cancelled), 24h);
}

TEST(UsefulLife, OfAMessageIsThatOfTheLastOfItsEvents) {
  parse::ParsedMessage message;
  message.time = noon;
  message.events = {planned(1h, 2h), planned(3h, 9h), planned(1h, 4h)};
  EXPECT_EQ(end_of_life(message) - noon, 9h);
}

TEST(UsefulLife, OfAMessageWithoutEventsIsTwoDaysAndWithoutATimeTheQueuesAffair) {
  parse::ParsedMessage message;
  message.time = noon;
  EXPECT_EQ(end_of_life(message) - noon, 48h);
  EXPECT_EQ(end_of_life(parse::ParsedMessage()), WallTime::max());
}

}  // namespace
}  // namespace ferryman::termination
