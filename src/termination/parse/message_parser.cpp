// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/message_parser.h"

#include <array>

#include "termination/parse/lifecycle_action.h"

namespace ferryman::termination::parse {

namespace {

struct Parser {
  std::string_view source;
  std::string_view detail_type;
  Result<std::vector<Event>> (*parse)(const Envelope&);
};

constexpr std::array parsers = {
    Parser{autoscaling_source, terminate_detail_type, &parse_terminate_action},
};

}  // namespace

Result<ParsedMessage> parse_message(std::string_view body) {
  auto envelope = parse_envelope(body);
  if (!envelope) return std::move(envelope).error();
  ParsedMessage message;
  message.account = envelope->account;
  message.region = envelope->region;
  message.source = envelope->source;
  message.detail_type = envelope->detail_type;
  message.time = envelope->time;
  if (envelope->detail_type == test_notification) message.content = Content::test;
  for (const Parser& parser : parsers) {
    if (parser.source != envelope->source || parser.detail_type != envelope->detail_type) continue;
    auto events = parser.parse(*envelope);
    if (!events) return events.error().within(envelope->detail_type);
    message.events = std::move(*events);
    message.content = Content::events;
  }
  return message;
}

}  // namespace ferryman::termination::parse
