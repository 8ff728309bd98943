// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/spot_interruption.h"

#include "termination/parse/instance_event.h"

namespace ferryman::termination::parse {

Result<Reading> read_spot_interruption(const Envelope& envelope) {
  auto read = instance_event(envelope, EventKind::spot_interruption, "instance-id");
  if (!read) return std::move(read).error();
  auto event = if_told_apart(std::move(*read));
  if (!event) return std::move(event).error();
  event->what = word_at(envelope.detail, "instance-action");
  const Duration warning = event->what == "hibernate" ? std::chrono::seconds{0} : std::chrono::seconds{120};
  event->deadline = event->event_time + warning;
  return Reading({std::move(*event)});
}

}  // namespace ferryman::termination::parse
