// SPDX-License-Identifier: Apache-2.0
// What the API server refuses of objects that decode: names and labels of a wrong form, taints that are none,
// fields that cannot change. Only what Ferryman or its users can meet; the first problem is told.
#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "sandbox/kube/resource_types.h"

namespace ferryman::sandbox {

class FieldProblem {
 public:
  FieldProblem() = default;
  FieldProblem(std::string field_in, std::string why_in)
      : field(std::move(field_in)), why(std::move(why_in)) {}

  std::string field;  // "metadata.taints[0].effect"
  std::string why;    // "Unsupported value: …", as the API server says it
};

/// `before` is null for a new object.
std::optional<FieldProblem> problem_of(const ResourceType& type, const json::value& object,
                                       const json::value* before);

}  // namespace ferryman::sandbox
