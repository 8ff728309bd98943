// SPDX-License-Identifier: Apache-2.0
// A queue's attributes as SQS's calls set and show them: all texts, times in whole seconds.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "base/result.h"
#include "sandbox/aws/queue.h"

namespace ferryman::sandbox::sqs {

/// Takes CreateQueue's and SetQueueAttributes' map. Errors: InvalidAttributeName, InvalidAttributeValue,
/// InvalidParameterValue.
Result<void> apply_attributes(const boost::json::value* attributes, QueueSettings& settings);

/// Those that `names` (a list, or null) asks for. Error: InvalidAttributeName.
Result<boost::json::object> asked_attributes(const Queue& queue, const std::string& arn,
                                             const boost::json::array* names);

}  // namespace ferryman::sandbox::sqs
