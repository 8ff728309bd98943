// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/instance_event.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ferryman::termination::parse {

namespace {

constexpr std::size_t longest_shown = 64;

}  // namespace

Result<Event> instance_event(const Envelope& envelope, EventKind kind, std::string_view field) {
  const std::string_view id = string_at(envelope.detail, field);
  const auto instance_id = parse_instance_id(id);
  if (!instance_id) {
    return Error(Fault::invalid,
                 fmt::format("detail.{} is no instance id: \"{}\"", field, shortened(id, longest_shown)));
  }
  auto time = time_of(envelope);
  if (!time) return std::move(time).error();
  Event event;
  event.kind = kind;
  event.instance_id = *instance_id;
  event.event_id = envelope.id;
  event.event_time = *time;
  return event;
}

Result<Event> if_told_apart(Event event) {
  if (event.key().empty()) {
    return Error(Fault::invalid,
                 event.action ? "neither detail.LifecycleActionToken nor id: it could not be told from others"
                              : "\"id\" is missing: it could not be told from others");
  }
  return event;
}

std::string word_at(const json::value& detail, std::string_view field) {
  return shortened(string_at(detail, field), longest_shown);
}

}  // namespace ferryman::termination::parse
