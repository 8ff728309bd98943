// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sqs_messages.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "sandbox/aws/sqs_refusals.h"

namespace ferryman::sandbox::sqs {

namespace {

Result<std::int64_t> in_range(std::optional<std::int64_t> value, const Number& number,
                              std::string_view given) {
  if (value && *value >= number.least && *value <= number.most) return *value;
  return bad_value(
      fmt::format("Value {} for parameter {} is invalid. Reason: Must be between {} and {}, if provided.",
                  given, number.name, number.least, number.most));
}

/// XML 1.0 cannot hold these, and so neither can SQS: control characters but tab, line feed and carriage
/// return, U+FFFE and U+FFFF.
bool has_forbidden_characters(std::string_view text) {
  const bool control = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20U && c != '\t' && c != '\n' && c != '\r';
  });
  return control || text.find("\xEF\xBF\xBE") != std::string_view::npos ||
         text.find("\xEF\xBF\xBF") != std::string_view::npos || to_utf8(text) != text;
}

bool attribute_name_is_good(std::string_view name) {
  return !name.empty() && name.size() <= 256 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '-' || c == '.';
  });
}

Result<void> check_attribute(std::string_view name, const json::value& value) {
  if (!attribute_name_is_good(name)) {
    return bad_value(
        "Message (user) attribute names can only include alphanumeric characters, hyphens, underscores, and "
        "periods.");
  }
  const std::string_view type = string_at(value, "DataType");
  const std::string_view base = type.substr(0, type.find('.'));
  if (base != "String" && base != "Number" && base != "Binary") {
    return bad_value(
        fmt::format("The type of message (user) attribute '{}' is invalid. You must use only the following "
                    "supported type prefixes: Binary, Number, String.",
                    name));
  }
  if (has_forbidden_characters(string_at(value, "StringValue")))
    return bad_value(fmt::format("Invalid characters were found in the attribute '{}'.", name));
  if (!string_at(value, base == "Binary" ? "BinaryValue" : "StringValue").empty()) return {};
  return bad_value(fmt::format(
      "The message (user) attribute '{}' must contain a non-empty value of type '{}'.", name, base));
}

Result<void> read_attributes(const json::value& request, QueueMessage& message) {
  constexpr std::size_t most = 10;
  const json::value* given = find(request, "MessageAttributes");
  if (given != nullptr && given->is_object()) message.attributes = given->as_object();
  if (message.attributes.size() > most) {
    return bad_value(fmt::format("Number of message attributes [{}] exceeds the allowed maximum [{}].",
                                 message.attributes.size(), most));
  }
  for (const auto& [name, value] : message.attributes) {
    if (auto good = check_attribute(name, value); !good) return good;
  }
  const json::value* trace = find(find(request, "MessageSystemAttributes"), "AWSTraceHeader");
  if (trace != nullptr) message.system["AWSTraceHeader"] = string_at(trace, "StringValue");
  return {};
}

std::string millis(WallTime time) {
  return std::to_string(
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

/// True when `request`'s list `name` holds `wanted`, "All", or a pattern such as "team.*".
bool asks_for(const json::value& request, std::string_view name, std::string_view wanted) {
  const json::array* names = array_at(&request, name);
  if (names == nullptr) return false;
  return std::any_of(names->begin(), names->end(), [&](const json::value& item) {
    std::string_view asked = item.is_string() ? std::string_view(item.as_string()) : "";
    if (asked == "All" || asked == wanted) return true;
    if (!asked.ends_with(".*")) return false;
    asked.remove_suffix(2);
    return asked.empty() || wanted.starts_with(asked);
  });
}

std::string bytes_of(std::string_view base64) {
  std::string bytes(base64.size() / 4 * 3 + 3, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(base64.data()), static_cast<int>(base64.size()));
  if (length < 0) return {};
  // OpenSSL counts the padding's zero bytes.
  const auto padding = static_cast<std::size_t>(std::count(base64.begin(), base64.end(), '='));
  bytes.resize(static_cast<std::size_t>(length) - std::min(padding, static_cast<std::size_t>(length)));
  return bytes;
}

void append_measured(std::string& out, std::string_view part) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) out += static_cast<char>(part.size() >> shift & 255U);
  out += part;
}

}  // namespace

Result<std::int64_t> read_number(const json::value& body, const Number& number) {
  const json::value* found = find(body, number.name);
  if (found == nullptr || found->is_null()) return number.fallback;
  if (!found->is_string()) {
    const auto value = integer_at(&body, number.name);
    return in_range(value, number, value ? std::to_string(*value) : "of another type");
  }
  const std::string_view text = found->as_string();
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  return in_range(whole ? std::optional(value) : std::nullopt, number, text);
}

Result<QueueMessage> read_message(const json::value& request, std::size_t largest) {
  QueueMessage message;
  message.body = string_at(request, "MessageBody");
  if (message.body.empty()) return missing_parameter("MessageBody");
  if (auto read = read_attributes(request, message); !read) return std::move(read).error();
  if (size_of(message) > largest) {
    return bad_value(fmt::format(
        "One or more parameters are invalid. Reason: Message must be shorter than {} bytes.", largest));
  }
  if (has_forbidden_characters(message.body)) {
    return Error(Fault::invalid, "InvalidMessageContents",
                 "Invalid characters were found in the message body.");
  }
  return message;
}

std::size_t size_of(const QueueMessage& message) {
  std::size_t size = message.body.size();
  for (const auto& [name, value] : message.attributes) {
    size += name.size() + string_at(value, "DataType").size() + string_at(value, "StringValue").size() +
            bytes_of(string_at(value, "BinaryValue")).size();
  }
  return size;
}

json::object received_message(const QueueMessage& message, const json::value& request) {
  json::object result{{"MessageId", message.id},
                      {"ReceiptHandle", message.receipt},
                      {"MD5OfBody", md5_hex(message.body)},
                      {"Body", message.body}};
  std::map<std::string, std::string> known = message.system;
  known["SentTimestamp"] = millis(message.sent);
  known["ApproximateReceiveCount"] = std::to_string(message.receive_count);
  known["ApproximateFirstReceiveTimestamp"] = millis(message.first_received);
  json::object attributes;
  for (const auto& [name, value] : known) {
    // AttributeNames is the parameter's old name; both are in use.
    const bool asked =
        asks_for(request, "AttributeNames", name) || asks_for(request, "MessageSystemAttributeNames", name);
    if (asked) attributes[name] = value;
  }
  if (!attributes.empty()) result["Attributes"] = attributes;
  json::object own;
  for (const auto& [name, value] : message.attributes) {
    if (asks_for(request, "MessageAttributeNames", name)) own[name] = value;
  }
  if (own.empty()) return result;
  result["MD5OfMessageAttributes"] = md5_of_attributes(own);
  result["MessageAttributes"] = std::move(own);
  return result;
}

std::string md5_hex(std::string_view text) {
  std::array<unsigned char, 16> digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_md5(), nullptr);
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string md5_of_attributes(const json::object& attributes) {
  if (attributes.empty()) return {};
  std::vector<std::string> names;
  for (const auto& [name, value] : attributes) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) {
    const json::value& value = attributes.at(name);
    const std::string_view type = string_at(value, "DataType");
    const bool binary = type.starts_with("Binary");
    append_measured(all, name);
    append_measured(all, type);
    all += binary ? '\x02' : '\x01';
    append_measured(all,
                    binary ? bytes_of(string_at(value, "BinaryValue")) : string_at(value, "StringValue"));
  }
  return md5_hex(all);
}

}  // namespace ferryman::sandbox::sqs
