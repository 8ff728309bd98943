// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sqs_refusals.h"

#include <fmt/format.h>

namespace ferryman::sandbox::sqs {

Error missing_parameter(std::string_view name) {
  return Error(Fault::invalid, "MissingParameter",
               fmt::format("The request must contain the parameter {}.", name));
}

Error bad_value(std::string text) {
  return Error(Fault::invalid, "InvalidParameterValue", std::move(text));
}

Error no_queue() {
  return prefixed("NonExistentQueue", "The specified queue does not exist.", Fault::not_found);
}

Error bad_receipt(std::string_view receipt) {
  return Error(
      Fault::invalid, "ReceiptHandleIsInvalid",
      fmt::format("The input receipt handle \"{}\" is not a valid receipt handle.", receipt.substr(0, 100)));
}

Error prefixed(std::string_view code, std::string text, Fault fault) {
  return Error(fault, fmt::format("AWS.SimpleQueueService.{}", code), std::move(text));
}

}  // namespace ferryman::sandbox::sqs
