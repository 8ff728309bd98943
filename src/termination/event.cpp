// SPDX-License-Identifier: Apache-2.0
#include "termination/event.h"

#include <array>

namespace ferryman::termination {

namespace {

constexpr std::array<std::string_view, event_kinds> names = {
    "asg-terminate",
    "asg-launch",
    "spot-interruption",
    "rebalance-recommendation",
    "scheduled-change",
    "state-change",
    "capacity-reservation-interruption",
    "instance-status",
};

}  // namespace

std::string_view name_of(EventKind kind) {
  return names.at(static_cast<std::size_t>(kind));
}

std::optional<EventKind> parse_event_kind(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names.at(i) == name) return static_cast<EventKind>(i);
  }
  return std::nullopt;
}

std::string Event::key() const {
  if (action && !action->token.empty()) return action->token;
  if (!change) return event_id;
  if (change->cancelled) return change->plan + "|cancelled";
  const std::string ends = change->ends ? format_rfc3339(*change->ends) : std::string();
  return change->plan + "|" + change->code + "|" + format_rfc3339(change->starts) + "|" + ends;
}

bool Event::voluntary() const {
  return kind == EventKind::rebalance_recommendation || kind == EventKind::scheduled_change ||
         kind == EventKind::instance_status;
}

}  // namespace ferryman::termination
