// SPDX-License-Identifier: Apache-2.0
// parse_message: a message's bytes to events. A new kind is one parser file and one line in the list in the
// .cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "termination/event.h"

namespace ferryman::termination::parse {

class ParsedMessage {
 public:
  ParsedMessage() = default;

  std::string account;  // empty when the envelope names none
  std::string region;   // the same
  std::string source;   // for counting what we do not know
  std::string detail_type;
  bool test_notification = false;  // Auto Scaling's greeting: nobody's event
  std::vector<Event> events;       // none: understood, but nothing for us
};

/// Errors: invalid. Any bytes up to any length are safe.
Result<ParsedMessage> parse_message(std::string_view body);

}  // namespace ferryman::termination::parse
