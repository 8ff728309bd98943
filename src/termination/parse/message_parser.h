// SPDX-License-Identifier: Apache-2.0
// parse_message: a message's bytes to events. A new kind is one parser file and one line in the list in the
// .cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "termination/parse/reading.h"

namespace ferryman::termination::parse {

class ParsedMessage {
 public:
  ParsedMessage() = default;

  Content content = Content::other;
  std::string because;  // not empty unless there are events: why there are none, in words for a person
  std::string account;  // empty when the envelope names none
  std::string region;   // the same; for AWS Health that of the event, not of the copy
  WallTime time;        // of the envelope; WallTime{} when it has none that can be read
  std::string source;   // for counting what we do not know
  std::string detail_type;
  std::vector<Event> events;
};

/// Errors: invalid. Any bytes up to any length are safe.
Result<ParsedMessage> parse_message(std::string_view body);

}  // namespace ferryman::termination::parse
