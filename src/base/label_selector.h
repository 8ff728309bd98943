// SPDX-License-Identifier: Apache-2.0
// LabelSelector: which labels are meant, as Kubernetes writes it: "app=web,tier in (a, b),!canary".
// https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ferryman {

class LabelSelector {
 public:
  enum class Operator : std::uint8_t { in, not_in, exists, absent };

  class Requirement {
   public:
    Requirement() = default;
    Requirement(std::string key_in, Operator op_in, std::vector<std::string> values_in)
        : key(std::move(key_in)), op(op_in), values(std::move(values_in)) {}
    friend bool operator==(const Requirement&, const Requirement&) = default;

    std::string key;
    Operator op = Operator::in;
    std::vector<std::string> values;  // of in and not_in; at least one
  };

  LabelSelector() = default;
  explicit LabelSelector(std::vector<Requirement> requirements) : requirements_(std::move(requirements)) {}
  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;

  /// An empty selector matches everything. A label that is absent fulfils not_in.
  [[nodiscard]] bool matches(const std::map<std::string, std::string>& labels) const;
  [[nodiscard]] bool empty() const { return requirements_.empty(); }

 private:
  std::vector<Requirement> requirements_;  // all must hold
};

/// Errors: invalid, with what stands where something else should. An empty text gives the empty selector.
Result<LabelSelector> parse_label_selector(std::string_view text);

}  // namespace ferryman
