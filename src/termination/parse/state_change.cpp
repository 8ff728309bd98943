// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/state_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "termination/parse/instance_event.h"

namespace ferryman::termination::parse {

namespace {

constexpr std::array<std::string_view, 4> ending_states = {"stopping", "stopped", "shutting-down",
                                                           "terminated"};

}  // namespace

Result<Reading> read_state_change(const Envelope& envelope) {
  const std::string state = word_at(envelope.detail, "state");
  if (std::find(ending_states.begin(), ending_states.end(), state) == ending_states.end()) {
    return Reading(Content::nobodys, fmt::format("state \"{}\" needs nothing done", state));
  }
  auto read = instance_event(envelope, EventKind::state_change, "instance-id");
  if (!read) return std::move(read).error();
  auto event = if_told_apart(std::move(*read));
  if (!event) return std::move(event).error();
  event->what = state;
  return Reading({std::move(*event)});
}

}  // namespace ferryman::termination::parse
