// SPDX-License-Identifier: Apache-2.0
// ObjectFilter: which objects a list or watch is about: one namespace or all, labelSelector, fieldSelector.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace ferryman::sandbox {

class ObjectFilter {
 public:
  ObjectFilter() = default;

  /// Errors: invalid, with the API server's words (a field that it does not index, a selector that does not
  /// parse).
  static Result<ObjectFilter> parse(std::string_view resource, std::string_view labels,
                                    std::string_view fields);

  [[nodiscard]] bool matches(const json::value& object) const;
  [[nodiscard]] bool has_selector() const { return !labels_.empty() || !fields_.empty(); }

  /// What the field must be, or empty when nothing demands it.
  [[nodiscard]] std::string_view wanted_field(std::string_view path) const;

  std::string space;  // empty: all namespaces
  std::string name;   // empty: all names

 private:
  struct LabelTerm {
    std::string key;
    bool wanted = true;               // false: "!=", "notin", "!key"
    std::vector<std::string> values;  // empty: the key's mere presence
  };
  struct FieldTerm {
    std::string path;
    bool equal = true;
    std::string value;
  };

  static Result<LabelTerm> parse_label_term(std::string_view term);
  static Result<FieldTerm> parse_field_term(std::string_view resource, std::string_view term);
  [[nodiscard]] static bool holds(const LabelTerm& term, const json::value& object);
  [[nodiscard]] static bool holds(const FieldTerm& term, const json::value& object);

  std::vector<LabelTerm> labels_;
  std::vector<FieldTerm> fields_;
};

}  // namespace ferryman::sandbox
