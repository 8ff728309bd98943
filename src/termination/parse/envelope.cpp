// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/envelope.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ferryman::termination::parse {

namespace {

// SQS's own limit since 2025:
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
constexpr std::size_t largest_body = std::size_t{1} << 20U;
constexpr std::size_t longest_id = 255;  // EventBridge's are UUIDs
constexpr std::size_t longest_shown = 64;

void take_time(const json::value& root, std::string_view key, Envelope& envelope) {
  const std::string_view text = string_at(root, key);
  envelope.time = parse_rfc3339(text);
  envelope.time_text = shortened(text, longest_shown);
}

void take_resources(const json::value& root, Envelope& envelope) {
  if (const std::string_view single = string_at(root, "resources"); !single.empty())
    envelope.resources.emplace_back(single);
  const json::array* several = array_at(&root, "resources");
  if (several == nullptr) return;
  for (const json::value& resource : *several) {
    if (resource.is_string()) envelope.resources.emplace_back(resource.get_string());
  }
}

Result<Envelope> from_eventbridge(const json::value& root) {
  Envelope envelope;
  envelope.id = string_at(root, "id");
  envelope.source = string_at(root, "source");
  envelope.detail_type = string_at(root, "detail-type");
  envelope.account = string_at(root, "account");
  envelope.region = string_at(root, "region");
  if (envelope.source.empty() || envelope.detail_type.empty()) {
    return Error(Fault::invalid, "no EventBridge event: \"source\" or \"detail-type\" is missing");
  }
  take_time(root, "time", envelope);
  take_resources(root, envelope);
  if (const json::value* detail = find(root, "detail")) envelope.detail = *detail;
  return envelope;
}

/// The fourth part of "arn:aws:autoscaling:us-west-2:123456789012:…"; empty when there is none.
std::string_view region_of_arn(std::string_view arn) {
  for (int i = 0; i < 3; ++i) {
    const std::size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return {};
    arn.remove_prefix(colon + 1);
  }
  return arn.substr(0, arn.find(':'));
}

std::string_view flat_detail_type(const json::value& root) {
  const std::string_view transition = string_at(root, "LifecycleTransition");
  if (transition == test_notification || string_at(root, "Event") == test_notification)
    return test_notification;
  if (transition == "autoscaling:EC2_INSTANCE_TERMINATING") return terminate_detail_type;
  if (transition == "autoscaling:EC2_INSTANCE_LAUNCHING") return launch_detail_type;
  return {};
}

/// Its fields are those of EventBridge's detail, beside the envelope's own.
Result<Envelope> from_flat(const json::value& root, std::string_view detail_type) {
  Envelope envelope;
  envelope.id = string_at(root, "RequestId");
  envelope.source = autoscaling_source;
  envelope.detail_type = detail_type;
  envelope.account = string_at(root, "AccountId");
  envelope.region = region_of_arn(string_at(root, "AutoScalingGroupARN"));
  take_time(root, "Time", envelope);
  envelope.detail = root;
  return envelope;
}

Result<Envelope> from_object(const json::value& root) {
  const std::string_view detail_type = flat_detail_type(root);
  auto envelope = detail_type.empty() ? from_eventbridge(root) : from_flat(root, detail_type);
  if (envelope && envelope->id.size() > longest_id)
    return Error(Fault::invalid, "the event's id is too long");
  return envelope;
}

/// What an SNS topic wrapped; empty for anything else. A topic with raw delivery does not wrap.
std::string_view wrapped_by_sns(const json::value& root) {
  const bool is_sns = string_at(root, "Type") == "Notification" && !string_at(root, "TopicArn").empty();
  return is_sns ? string_at(root, "Message") : std::string_view();
}

Result<json::value> parse_object(std::string_view text) {
  auto parsed = parse_json(text);
  if (!parsed) return std::move(parsed).error();
  if (!parsed->is_object()) return Error(Fault::invalid, "it is JSON but no object");
  return parsed;
}

}  // namespace

Result<Envelope> parse_envelope(std::string_view body) {
  if (body.size() > largest_body) {
    return Error(Fault::invalid, fmt::format("the body has {} bytes, more than SQS carries", body.size()));
  }
  auto root = parse_object(body);
  if (!root) return root.error().within("reading the body");
  const std::string_view wrapped = wrapped_by_sns(*root);
  if (wrapped.empty()) return from_object(*root);
  const auto inner = parse_object(wrapped);
  if (!inner) return inner.error().within("reading the Message of an SNS notification");
  return from_object(*inner);
}

Result<WallTime> time_of(const Envelope& envelope) {
  if (envelope.time) return *envelope.time;
  return Error(Fault::invalid,
               fmt::format("the event's time is no RFC 3339 time: \"{}\"", envelope.time_text));
}

}  // namespace ferryman::termination::parse
