// SPDX-License-Identifier: Apache-2.0
// The refusals that SQS's operations share, with the query protocol's codes (AwsCall knows the JSON
// protocol's).
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace ferryman::sandbox::sqs {

Error missing_parameter(std::string_view name);
Error bad_value(std::string text);
Error no_queue();
Error bad_receipt(std::string_view receipt);

/// A code that the service prefixes with its own name: "EmptyBatchRequest", "PurgeQueueInProgress".
Error prefixed(std::string_view code, std::string text, Fault fault = Fault::invalid);

}  // namespace ferryman::sandbox::sqs
