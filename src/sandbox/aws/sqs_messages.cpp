// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sqs_messages.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/json.h"

namespace ferryman::sandbox {

namespace {

constexpr std::size_t largest_body = std::size_t{1} << 20U;

Error bad_value(std::string text) {
  return Error(Fault::invalid, "InvalidParameterValue", std::move(text));
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<std::int64_t> in_range(std::optional<std::int64_t> value, const SqsNumber& number,
                              std::string_view given) {
  if (value && *value >= number.least && *value <= number.most) return *value;
  return bad_value(
      fmt::format("Value {} for parameter {} is invalid. Reason: Must be between {} and {}, if provided.",
                  given, number.name, number.least, number.most));
}

constexpr SqsNumber visibility{"VisibilityTimeout", 0, 43'200, 30};
constexpr SqsNumber retention{"MessageRetentionPeriod", 60, 1'209'600, 345'600};
constexpr SqsNumber receive_wait{"ReceiveMessageWaitTimeSeconds", 0, 20, 0};
constexpr std::array<std::string_view, 9> kept{"Policy",
                                               "RedrivePolicy",
                                               "RedriveAllowPolicy",
                                               "DelaySeconds",
                                               "MaximumMessageSize",
                                               "KmsMasterKeyId",
                                               "KmsDataKeyReusePeriodSeconds",
                                               "SqsManagedSseEnabled",
                                               "FifoQueue"};

Result<void> apply_attribute(std::string_view name, std::string_view value, QueueSettings& settings) {
  using Place = std::pair<const SqsNumber*, Duration*>;
  const std::array<Place, 3> durations{{{&visibility, &settings.visibility_timeout},
                                        {&retention, &settings.retention},
                                        {&receive_wait, &settings.receive_wait}}};
  for (const auto& [number, place] : durations) {
    if (number->name != name) continue;
    auto seconds_given = in_range(whole(value), *number, value);
    if (!seconds_given) return std::move(seconds_given).error();
    *place = std::chrono::seconds{*seconds_given};
    return {};
  }
  if (std::find(kept.begin(), kept.end(), name) == kept.end()) {
    return Error(Fault::invalid, "InvalidAttributeName", fmt::format("Unknown Attribute {}.", name));
  }
  settings.other[std::string(name)] = value;
  return {};
}

std::string text_of(Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count());
}

std::string millis(WallTime time) {
  return std::to_string(
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

}  // namespace

Result<std::int64_t> read_number(const json::value& body, const SqsNumber& number) {
  const json::value* found = find(body, number.name);
  if (found == nullptr || found->is_null()) return number.fallback;
  if (found->is_string()) return in_range(whole(found->as_string()), number, found->as_string());
  const auto value = integer_at(&body, number.name);
  return in_range(value, number, value ? std::to_string(*value) : "of another type");
}

Result<void> check_message_body(std::string_view text) {
  if (text.empty()) {
    return Error(Fault::invalid, "MissingParameter", "The request must contain the parameter MessageBody.");
  }
  if (text.size() > largest_body) {
    return bad_value(fmt::format(
        "One or more parameters are invalid. Reason: Message must be shorter than {} bytes.", largest_body));
  }
  // Of the control characters only tab, line feed and carriage return may be in a message.
  const bool refused = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20U && c != '\t' && c != '\n' && c != '\r';
  });
  if (!refused) return {};
  return Error(Fault::invalid, "InvalidMessageContents",
               "Invalid characters were found in the message body.");
}

Result<void> apply_attributes(const json::value* attributes, QueueSettings& settings) {
  if (attributes == nullptr || attributes->is_null()) return {};
  if (!attributes->is_object()) return bad_value("Attributes must be a map of strings.");
  for (const auto& [name, value] : attributes->as_object()) {
    if (!value.is_string()) return bad_value("Attributes must be a map of strings.");
    if (auto applied = apply_attribute(name, value.as_string(), settings); !applied) return applied;
  }
  return {};
}

json::object queue_attributes(const Queue& queue, const std::string& arn) {
  const QueueCounts counts = queue.counts();
  json::object attributes{{"QueueArn", arn},
                          {"ApproximateNumberOfMessages", std::to_string(counts.visible)},
                          {"ApproximateNumberOfMessagesNotVisible", std::to_string(counts.in_flight)},
                          {"ApproximateNumberOfMessagesDelayed", std::to_string(counts.delayed)},
                          {"VisibilityTimeout", text_of(queue.settings.visibility_timeout)},
                          {"MessageRetentionPeriod", text_of(queue.settings.retention)},
                          {"ReceiveMessageWaitTimeSeconds", text_of(queue.settings.receive_wait)},
                          {"DelaySeconds", "0"},
                          {"MaximumMessageSize", std::to_string(largest_body)}};
  for (const auto& [name, value] : queue.settings.other) attributes[name] = value;
  return attributes;
}

bool asks_for(const json::value& body, std::string_view name, std::string_view wanted) {
  const json::array* names = array_at(&body, name);
  if (names == nullptr) return false;
  return std::any_of(names->begin(), names->end(), [&](const json::value& asked) {
    return asked.is_string() && (asked.as_string() == "All" || asked.as_string() == wanted);
  });
}

json::object received_message(const QueueMessage& message, const json::value& body) {
  json::object result{{"MessageId", message.id},
                      {"ReceiptHandle", message.receipt},
                      {"MD5OfBody", md5_hex(message.body)},
                      {"Body", message.body}};
  const std::array<std::pair<std::string_view, std::string>, 3> known{
      {{"SentTimestamp", millis(message.sent)},
       {"ApproximateReceiveCount", std::to_string(message.receive_count)},
       {"ApproximateFirstReceiveTimestamp", millis(message.first_received)}}};
  json::object attributes;
  for (const auto& [name, value] : known) {
    // AttributeNames is the parameter's old name; both are in use.
    const bool asked =
        asks_for(body, "AttributeNames", name) || asks_for(body, "MessageSystemAttributeNames", name);
    if (asked) attributes[name] = value;
  }
  if (!attributes.empty()) result["Attributes"] = attributes;
  json::object own;
  for (const auto& [name, value] : message.attributes) {
    if (asks_for(body, "MessageAttributeNames", name)) own[name] = value;
  }
  if (!own.empty()) result["MessageAttributes"] = own;
  return result;
}

std::string md5_hex(std::string_view text) {
  std::array<unsigned char, 16> digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_md5(), nullptr);
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace ferryman::sandbox
