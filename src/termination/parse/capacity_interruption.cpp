// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/capacity_interruption.h"

#include "termination/parse/instance_event.h"

namespace ferryman::termination::parse {

Result<Reading> read_capacity_interruption(const Envelope& envelope) {
  constexpr Duration usual_warning = std::chrono::seconds{120};
  auto read = instance_event(envelope, EventKind::capacity_reservation_interruption, "instance-id");
  if (!read) return std::move(read).error();
  auto event = if_told_apart(std::move(*read));
  if (!event) return std::move(event).error();
  event->what = word_at(envelope.detail, "instance-action");
  event->deadline = parse_rfc3339(string_at(envelope.detail, "instance-termination-time"))
                        .value_or(event->event_time + usual_warning);
  return Reading({std::move(*event)});
}

}  // namespace ferryman::termination::parse
