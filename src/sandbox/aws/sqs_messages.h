// SPDX-License-Identifier: Apache-2.0
// The forms of SQS's messages: what may be sent, what a receive shows, and the digests that clients check.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sandbox/aws/queue.h"

namespace ferryman::sandbox::sqs {

/// A whole number within its range, or `fallback` when it is absent. Numbers in strings are taken, as SQS
/// does.
struct Number {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
  std::int64_t fallback;
};
Result<std::int64_t> read_number(const boost::json::value& body, const Number& number);

/// The message of a SendMessage or of an entry of its batch. Errors: MissingParameter, InvalidParameterValue,
/// InvalidMessageContents.
Result<QueueMessage> read_message(const boost::json::value& request, std::size_t largest);

/// Body, attribute names, types and values together: what the size limit counts.
std::size_t size_of(const QueueMessage& message);

/// A received message with the attributes that the request's body asks for.
boost::json::object received_message(const QueueMessage& message, const boost::json::value& request);

std::string md5_hex(std::string_view text);
/// Of message attributes, by the rule in SQS's developer guide; empty when there are none.
std::string md5_of_attributes(const boost::json::object& attributes);

}  // namespace ferryman::sandbox::sqs
