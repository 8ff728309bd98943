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

class Event {
 public:
  Event() = default;

  EventKind kind = EventKind::asg_terminate;
  InstanceId instance_id;
  std::string event_id;
  WallTime event_time;
  std::optional<LifecycleAction> action;  // asg-terminate and asg-launch

  /// What makes a second delivery the same event: the action's token where there is one, else the event id.
  [[nodiscard]] const std::string& key() const {
    return action && !action->token.empty() ? action->token : event_id;
  }
};

}  // namespace ferryman::termination
