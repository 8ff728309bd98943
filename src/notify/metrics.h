// SPDX-License-Identifier: Apache-2.0
// What is counted of all that people are told.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/metrics.h"
#include "termination/ports/notices.h"

namespace ferryman::notify {

/// Why an event was not written.
enum class EventLoss : std::uint8_t {
  queue_full,
  not_allowed,
  too_late,  // the API server could not be asked for minutes
  refused,   // it does not want this one; its object's namespace ends, say
};
inline constexpr std::size_t event_losses = 4;

constexpr std::string_view name_of(EventLoss loss) {
  switch (loss) {
    case EventLoss::queue_full:
      return "queue-full";
    case EventLoss::not_allowed:
      return "not-allowed";
    case EventLoss::too_late:
      return "too-late";
    case EventLoss::refused:
      return "refused";
  }
  return "unknown";
}

class Metrics {
 public:
  Family<Counter, termination::NoticeKind, termination::notice_kinds> notices;
  Counter events_written;
  Counter events_repeated;  // count and time of a written one brought up to date
  Family<Counter, EventLoss, event_losses> events_dropped;
};

}  // namespace ferryman::notify
