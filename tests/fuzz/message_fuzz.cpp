// SPDX-License-Identifier: Apache-2.0
// SQS message bodies in all envelopes.
#include "fuzz/fuzzed_text.h"
#include "termination/explain.h"
#include "termination/useful_life.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ferryman;
  using termination::parse::Content;
  const auto parsed = termination::parse::parse_message(fuzz::text_of(data, size));
  if (!parsed) return 0;
  fuzz::check(parsed->events.empty() == (parsed->content != Content::events), "events are what it holds");
  fuzz::check(parsed->events.empty() != parsed->because.empty(), "whatever has no event says why");
  for (const termination::Event& event : parsed->events) {
    fuzz::check(parse_instance_id(event.instance_id.str()).has_value(), "an event names an instance");
    fuzz::check(!event.key().empty(), "an event can be told from others");
    fuzz::check(termination::end_of_life(*parsed) >= termination::end_of_life(event),
                "a message lives as long as its events");
  }
  const auto explanation = termination::explain(*parsed, termination::Policy());
  fuzz::check(explanation.events.size() == parsed->events.size(), "each event is explained");
  return 0;
}
