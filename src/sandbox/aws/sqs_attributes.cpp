// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sqs_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/json.h"
#include "sandbox/aws/sqs_refusals.h"

namespace ferryman::sandbox::sqs {

namespace {

constexpr std::array<std::string_view, 6> kept{"Policy",
                                               "RedrivePolicy",
                                               "KmsMasterKeyId",
                                               "KmsDataKeyReusePeriodSeconds",
                                               "RedriveAllowPolicy",
                                               "SqsManagedSseEnabled"};

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<std::int64_t> in_range(std::string_view name, std::string_view value, std::int64_t least,
                              std::int64_t most) {
  const auto number = whole(value);
  if (number && *number >= least && *number <= most) return *number;
  return Error(Fault::invalid, "InvalidAttributeValue",
               fmt::format("Invalid value for the parameter {}.", name));
}

struct TimeAttribute {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
  Duration QueueSettings::* member;
};
constexpr std::array<TimeAttribute, 4> times{
    {{"VisibilityTimeout", 0, 43'200, &QueueSettings::visibility_timeout},
     {"MessageRetentionPeriod", 60, 1'209'600, &QueueSettings::retention},
     {"ReceiveMessageWaitTimeSeconds", 0, 20, &QueueSettings::receive_wait},
     {"DelaySeconds", 0, 900, &QueueSettings::delay}}};

Error bad_policy(std::string_view policy, std::string_view reason) {
  return bad_value(
      fmt::format("Value {} for parameter RedrivePolicy is invalid. Reason: {}", policy, reason));
}

/// {"deadLetterTargetArn": "arn:…:name", "maxReceiveCount": 3}; the number may be a text. Empty: none any
/// more.
Result<void> apply_redrive_policy(std::string_view text, QueueSettings& settings) {
  settings.dead_letter_queue.clear();
  settings.max_receives = 0;
  if (text.empty()) return {};
  const auto policy = parse_json(text);
  if (!policy || !policy->is_object()) return bad_policy(text, "Redrive policy is not a valid JSON map.");
  const std::string_view arn = string_at(*policy, "deadLetterTargetArn");
  for (const std::string_view name : {"deadLetterTargetArn", "maxReceiveCount"}) {
    if (find(*policy, name) == nullptr)
      return bad_policy(text, fmt::format("Redrive policy does not contain mandatory attribute: {}.", name));
  }
  auto most = integer_at(&*policy, "maxReceiveCount");
  if (!most) most = whole(string_at(*policy, "maxReceiveCount"));
  if (!most || *most < 1 || *most > 1'000)
    return bad_policy(text,
                      "Invalid value for maxReceiveCount, valid values are from 1 to 1000 both inclusive.");
  settings.dead_letter_queue = arn.substr(arn.rfind(':') + 1);
  settings.max_receives = static_cast<int>(*most);
  return {};
}

Result<void> apply_attribute(std::string_view name, std::string_view value, QueueSettings& settings) {
  for (const TimeAttribute& time : times) {
    if (time.name != name) continue;
    auto given = in_range(name, value, time.least, time.most);
    if (!given) return std::move(given).error();
    settings.*time.member = std::chrono::seconds{*given};
    return {};
  }
  if (name == "MaximumMessageSize") {
    auto given = in_range(name, value, 1'024, 1'048'576);
    if (!given) return std::move(given).error();
    settings.largest_message = static_cast<std::size_t>(*given);
    return {};
  }
  if (std::find(kept.begin(), kept.end(), name) == kept.end())
    return Error(Fault::invalid, "InvalidAttributeName", fmt::format("Unknown Attribute {}.", name));
  if (name == "RedrivePolicy") {
    if (auto applied = apply_redrive_policy(value, settings); !applied) return applied;
  }
  settings.other[std::string(name)] = value;
  if (value.empty()) settings.other.erase(std::string(name));
  return {};
}

std::string seconds_text(Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count());
}

json::object all_attributes(const Queue& queue, const std::string& arn) {
  const QueueCounts counts = queue.counts();
  json::object attributes{{"QueueArn", arn},
                          {"ApproximateNumberOfMessages", std::to_string(counts.visible)},
                          {"ApproximateNumberOfMessagesNotVisible", std::to_string(counts.in_flight)},
                          {"ApproximateNumberOfMessagesDelayed", std::to_string(counts.delayed)},
                          {"CreatedTimestamp", seconds_text(queue.created.time_since_epoch())},
                          {"LastModifiedTimestamp", seconds_text(queue.modified.time_since_epoch())},
                          {"MaximumMessageSize", std::to_string(queue.settings.largest_message)},
                          {"SqsManagedSseEnabled", "true"}};
  for (const TimeAttribute& time : times) attributes[time.name] = seconds_text(queue.settings.*time.member);
  for (const auto& [name, value] : queue.settings.other) attributes[name] = value;
  return attributes;
}

}  // namespace

Result<void> apply_attributes(const json::value* attributes, QueueSettings& settings) {
  if (attributes == nullptr || attributes->is_null()) return {};
  if (!attributes->is_object()) return bad_value("Attributes must be a map of strings.");
  for (const auto& [name, value] : attributes->as_object()) {
    if (!value.is_string()) return bad_value("Attributes must be a map of strings.");
    if (auto applied = apply_attribute(name, value.as_string(), settings); !applied) return applied;
  }
  return {};
}

Result<json::object> asked_attributes(const Queue& queue, const std::string& arn, const json::array* names) {
  json::object all = all_attributes(queue, arn);
  json::object asked;
  if (names == nullptr) return asked;
  for (const json::value& item : *names) {
    const std::string_view name = item.is_string() ? std::string_view(item.as_string()) : "";
    if (name == "All") return all;
    const bool known = all.contains(name) || std::find(kept.begin(), kept.end(), name) != kept.end();
    if (!known)
      return Error(Fault::invalid, "InvalidAttributeName", fmt::format("Unknown Attribute {}.", name));
    if (all.contains(name)) asked[name] = all[name];
  }
  return asked;
}

}  // namespace ferryman::sandbox::sqs
