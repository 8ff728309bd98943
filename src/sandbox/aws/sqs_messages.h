// SPDX-License-Identifier: Apache-2.0
// The forms of SQS's JSON bodies: parameters with their ranges, attributes, messages.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sandbox/aws/queues.h"

namespace ferryman::sandbox {

/// A whole number within its range, or `fallback` when it is absent. Numbers in strings are taken, as SQS
/// does.
struct SqsNumber {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
  std::int64_t fallback;
};
Result<std::int64_t> read_number(const boost::json::value& body, const SqsNumber& number);

/// Error when the text is empty, too long (1 MiB) or holds characters that SQS refuses.
Result<void> check_message_body(std::string_view text);

/// Takes CreateQueue's and SetQueueAttributes' map. Error: an unknown name, a value that is out of range.
Result<void> apply_attributes(const boost::json::value* attributes, QueueSettings& settings);

/// All of a queue's attributes by name.
boost::json::object queue_attributes(const Queue& queue, const std::string& arn);

/// True when the list `name` of the body holds `wanted` or "All".
bool asks_for(const boost::json::value& body, std::string_view name, std::string_view wanted);

/// A received message with the attributes that the request's body asks for.
boost::json::object received_message(const QueueMessage& message, const boost::json::value& body);

std::string md5_hex(std::string_view text);

}  // namespace ferryman::sandbox
