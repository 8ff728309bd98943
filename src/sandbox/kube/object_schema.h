// SPDX-License-Identifier: Apache-2.0
// The types of Kubernetes' objects: which fields there are, of which type, and by which keys lists are
// merged. The table is written by tools/make_kube_schema from the published OpenAPI.
#pragma once

#include <string_view>

#include "sandbox/kube/resource_types.h"

namespace ferryman::sandbox {

/// "field:type field:type …"; empty when there is no such type. "#" in front: server-side apply takes the
/// object whole. For FieldType.
std::string_view fields_of(std::string_view type);

/// A type as the table writes it: s text, i and l integers of 32 and 64 bits, n a number, b a boolean, q text
/// or a number (a quantity, an int-or-string), o anything; "{T" a map, "[T" a list, else an object's name.
/// Behind a list "!key,key" (merged by these keys) or "%" (a set), then "~" where strategic merge merges it
/// too.
class FieldType {
 public:
  FieldType() = default;
  explicit FieldType(std::string_view code) : code_(code) {}

  [[nodiscard]] bool known() const { return !code_.empty(); }
  [[nodiscard]] char form() const { return code_.empty() ? 'o' : code_.front(); }
  [[nodiscard]] bool is_list() const { return form() == '['; }
  [[nodiscard]] bool is_map() const { return form() == '{'; }
  /// Has fields that the table knows.
  [[nodiscard]] bool is_object() const { return code_.size() > 1 && !is_list() && !is_map(); }
  [[nodiscard]] std::string_view name() const { return code_; }

  /// Of a list or map.
  [[nodiscard]] FieldType element() const;
  /// Of an object; of a map its element. Unknown when there is no such field.
  [[nodiscard]] FieldType field(std::string_view name) const;
  /// The keys of a list's items, "name" or "port,protocol"; empty: it has none.
  [[nodiscard]] std::string_view keys() const;
  [[nodiscard]] bool is_set() const { return is_list() && code_.find('%') != std::string_view::npos; }
  /// Server-side apply takes it whole.
  [[nodiscard]] bool is_atomic() const;
  /// The one key by which strategic merge merges the list; empty: none.
  [[nodiscard]] std::string_view merge_key() const;
  /// A list of plain values that strategic merge joins, such as finalizers.
  [[nodiscard]] bool joins() const { return is_set() && code_.ends_with('~'); }

 private:
  std::string_view code_;
};

/// The type of a resource's objects.
FieldType schema_of(const ResourceType& type);

}  // namespace ferryman::sandbox
