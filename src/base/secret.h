// SPDX-License-Identifier: Apache-2.0
// Secret: a string that no log line, error text or metric can hold: it has no formatter and no conversion.
#pragma once

#include <string>
#include <utility>

namespace ferryman {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}

  /// For the one place that signs or sends it.
  [[nodiscard]] const std::string& reveal() const { return value_; }
  [[nodiscard]] bool empty() const { return value_.empty(); }
  friend bool operator==(const Secret&, const Secret&) = default;

 private:
  std::string value_;
};

}  // namespace ferryman
