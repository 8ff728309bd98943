// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/message_parser.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "termination/parse/capacity_interruption.h"
#include "termination/parse/health_event.h"
#include "termination/parse/lifecycle_action.h"
#include "termination/parse/rebalance_recommendation.h"
#include "termination/parse/spot_interruption.h"
#include "termination/parse/state_change.h"

namespace ferryman::termination::parse {

namespace {

struct Parser {
  std::string_view source;
  std::string_view detail_type;
  Result<Reading> (*read)(const Envelope&);
};

Result<Reading> read_test_notification(const Envelope& /*envelope*/) {
  return Reading(Content::test, "Auto Scaling's test notification");
}

constexpr std::array parsers = {
    Parser{autoscaling_source, terminate_detail_type, &read_lifecycle_action},
    Parser{autoscaling_source, launch_detail_type, &read_lifecycle_action},
    Parser{autoscaling_source, test_notification, &read_test_notification},
    Parser{ec2_source, "EC2 Spot Instance Interruption Warning", &read_spot_interruption},
    Parser{ec2_source, "EC2 Instance Rebalance Recommendation", &read_rebalance_recommendation},
    Parser{ec2_source, "EC2 Instance State-change Notification", &read_state_change},
    Parser{ec2_source, "EC2 Capacity Reservation Instance Interruption Warning", &read_capacity_interruption},
    Parser{health_source, "AWS Health Event", &read_health_event},
};

Result<Reading> read(const Envelope& envelope) {
  constexpr std::size_t longest_shown = 64;
  for (const Parser& parser : parsers) {
    if (parser.source == envelope.source && parser.detail_type == envelope.detail_type)
      return parser.read(envelope);
  }
  return Reading(Content::other, fmt::format("\"{}\" from {} is none of the events that are acted on",
                                             shortened(envelope.detail_type, longest_shown),
                                             shortened(envelope.source, longest_shown)));
}

}  // namespace

Result<ParsedMessage> parse_message(std::string_view body) {
  auto envelope = parse_envelope(body);
  if (!envelope) return std::move(envelope).error();
  auto reading = read(*envelope);
  if (!reading) return reading.error().within(envelope->detail_type);
  ParsedMessage message;
  message.content = reading->content;
  message.because = std::move(reading->because);
  message.account = std::move(envelope->account);
  message.region = reading->region.empty() ? std::move(envelope->region) : std::move(reading->region);
  message.source = std::move(envelope->source);
  message.detail_type = std::move(envelope->detail_type);
  message.time = envelope->time.value_or(WallTime{});
  message.events = std::move(reading->events);
  return message;
}

}  // namespace ferryman::termination::parse
