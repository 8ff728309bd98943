// SPDX-License-Identifier: Apache-2.0
// Environment: the process's variables as a value. Only `main` reads them; everything else is handed this.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace ferryman {

class Environment {
 public:
  Environment() = default;
  explicit Environment(std::map<std::string, std::string, std::less<>> variables)
      : variables_(std::move(variables)) {}

  /// Empty when the variable is not set; set but empty counts as not set.
  [[nodiscard]] std::string get(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? std::string() : found->second;
  }

  /// For those who hand it on (to a program).
  [[nodiscard]] const auto& all() const { return variables_; }

 private:
  std::map<std::string, std::string, std::less<>> variables_;
};

}  // namespace ferryman
