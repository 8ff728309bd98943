// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

namespace ferryman {

std::string_view name_of(Fault fault) {
  switch (fault) {
    case Fault::cancelled:
      return "cancelled";
    case Fault::deadline:
      return "deadline";
    case Fault::transport:
      return "transport";
    case Fault::throttled:
      return "throttled";
    case Fault::conflict:
      return "conflict";
    case Fault::not_found:
      return "not_found";
    case Fault::denied:
      return "denied";
    case Fault::invalid:
      return "invalid";
    case Fault::unexpected:
      return "unexpected";
  }
  return "unexpected";
}

bool is_retryable(Fault fault) {
  return fault == Fault::deadline || fault == Fault::transport || fault == Fault::throttled ||
         fault == Fault::unexpected;
}

Error Error::within(std::string_view doing) const {
  Error outer = *this;
  outer.text = std::string(doing) + ": " + text;
  return outer;
}

}  // namespace ferryman
