// SPDX-License-Identifier: Apache-2.0
#include "termination/useful_life.h"

#include <algorithm>

namespace ferryman::termination {

namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr Duration longest = hours{48};

WallTime end_of_window(const ScheduledChange& change, WallTime told_at) {
  if (change.cancelled) return told_at + hours{24};
  const bool has_end = change.ends && *change.ends > change.starts;
  return has_end ? *change.ends : change.starts + hours{24};
}

}  // namespace

WallTime end_of_life(const Event& event) {
  switch (event.kind) {
    case EventKind::spot_interruption:
    case EventKind::capacity_reservation_interruption:
      return std::max(event.event_time + minutes{5}, event.deadline.value_or(event.event_time));
    case EventKind::state_change:
      return event.event_time + minutes{10};
    case EventKind::rebalance_recommendation:
      return event.event_time + minutes{30};
    case EventKind::scheduled_change:
    case EventKind::instance_status:
      return event.change ? end_of_window(*event.change, event.event_time) : event.event_time + hours{24};
    case EventKind::asg_terminate:
    case EventKind::asg_launch:
      break;
  }
  return event.event_time + longest;
}

WallTime end_of_life(const parse::ParsedMessage& message) {
  if (message.events.empty()) return message.time == WallTime{} ? WallTime::max() : message.time + longest;
  WallTime end = WallTime::min();
  for (const Event& event : message.events) end = std::max(end, end_of_life(event));
  return end;
}

}  // namespace ferryman::termination
