// SPDX-License-Identifier: Apache-2.0
// Error: why a call did not do what it was asked. Code decides on `fault` and `code`; people read `text`.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace ferryman {

enum class Fault : std::uint8_t {
  cancelled,   // we are stopping
  deadline,    // no answer in time: the call may or may not have taken effect
  transport,   // connection refused, reset, cut off, name not found
  throttled,   // asked too often; see retry_after
  conflict,    // the precondition (UID, resourceVersion) did not hold, or a budget refuses
  not_found,   // what was named does not exist
  denied,      // wrong or missing credentials or rights
  invalid,     // the request, a message or a setting is wrong: asking again changes nothing
  unexpected,  // an answer that we do not understand, or a failure inside the service (5xx)
};

std::string_view name_of(Fault fault);

/// True for deadline, transport, throttled and unexpected: the same call may succeed later.
bool is_retryable(Fault fault);

class Error {
 public:
  Error() = default;
  Error(Fault fault_in, std::string text_in) : fault(fault_in), text(std::move(text_in)) {}
  Error(Fault fault_in, std::string code_in, std::string text_in)
      : fault(fault_in), code(std::move(code_in)), text(std::move(text_in)) {}

  /// The same error one level up: its text becomes "doing x: …".
  [[nodiscard]] Error within(std::string_view doing) const;

  Fault fault = Fault::unexpected;
  std::string code;  // the service's own, such as "ValidationError"; empty when there is none
  std::string text;
  std::chrono::milliseconds retry_after{0};  // 0: the service named none
};

}  // namespace ferryman
