// SPDX-License-Identifier: Apache-2.0
// SQS message bodies in all envelopes.
#include "fuzz/fuzzed_text.h"
#include "termination/parse/message_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ferryman;
  const auto parsed = termination::parse::parse_message(fuzz::text_of(data, size));
  if (!parsed) return 0;
  fuzz::check(!parsed->test_notification || parsed->events.empty(), "a test notification is nobody's event");
  for (const termination::Event& event : parsed->events) {
    fuzz::check(parse_instance_id(event.instance_id.str()).has_value(), "an event names an instance");
  }
  return 0;
}
