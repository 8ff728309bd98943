// SPDX-License-Identifier: Apache-2.0
// Event: one fact about one instance, whatever envelope brought it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/time.h"
#include "termination/ports/cloud.h"

namespace ferryman::termination {

/// The same names stand in settings, logs, metrics and Kubernetes events.
enum class EventKind : std::uint8_t {
  asg_terminate,
  asg_launch,
  spot_interruption,
  rebalance_recommendation,
  scheduled_change,
  state_change,
  capacity_reservation_interruption,
  instance_status,
};
inline constexpr std::size_t event_kinds = 8;

/// "asg-terminate", "spot-interruption", …
std::string_view name_of(EventKind kind);
std::optional<EventKind> parse_event_kind(std::string_view name);

/// What AWS plans for an instance (AWS Health, DescribeInstanceStatus). A later notice of the same plan
/// replaces or cancels it.
class ScheduledChange {
 public:
  ScheduledChange() = default;
  friend bool operator==(const ScheduledChange&, const ScheduledChange&) = default;

  std::string plan;  // Health's eventArn, or the id of DescribeInstanceStatus: the same for all its notices
  std::string code;  // "AWS_EC2_INSTANCE_STOP_SCHEDULED", "instance-retirement", …
  WallTime starts;
  std::optional<WallTime> ends;  // of the window; empty: AWS names none
  bool cancelled = false;        // "closed": it will not come
};

class Event {
 public:
  Event() = default;

  EventKind kind = EventKind::asg_terminate;
  InstanceId instance_id;
  std::string event_id;
  WallTime event_time;
  std::string what;  // the source's own word: "terminate", "hibernate", "stopping", …; may be empty
  std::optional<WallTime> deadline;       // when AWS takes the instance away, where the event says so
  std::optional<LifecycleAction> action;  // asg-terminate and asg-launch
  std::optional<ScheduledChange> change;  // scheduled-change and instance-status

  /// What makes a second delivery the same event: the action's token where there is one, the plan and its
  /// times for a scheduled change, else the event id.
  [[nodiscard]] std::string key() const;
  /// It may come to nothing: rebalance-recommendation, scheduled-change, instance-status.
  [[nodiscard]] bool voluntary() const;
};

}  // namespace ferryman::termination
