// SPDX-License-Identifier: Apache-2.0
// Reading: what one parser makes of one envelope.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "termination/event.h"

namespace ferryman::termination::parse {

/// What a message that parses comes to.
enum class Content : std::uint8_t {
  events,   // at least one
  test,     // Auto Scaling's test notification
  nobodys,  // understood, and nobody acts on it: an instance that runs, a backup region's copy
  other,    // of a source or kind that is not ours to act on: another service's, an unknown one
};

class Reading {
 public:
  Reading() = default;
  explicit Reading(std::vector<Event> events_in) : content(Content::events), events(std::move(events_in)) {}
  Reading(Content content_in, std::string because_in) : content(content_in), because(std::move(because_in)) {}

  Content content = Content::other;
  std::string because;  // not empty unless there are events: why there are none, in words for a person
  std::string region;   // of what the message tells, where that is not the envelope's; else empty
  std::vector<Event> events;
};

}  // namespace ferryman::termination::parse
