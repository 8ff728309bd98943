// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_schema.h"

#include <algorithm>
#include <string>

namespace ferryman::sandbox {

FieldType FieldType::element() const {
  if (is_map()) return FieldType(code_.substr(1));
  if (is_list()) return FieldType(code_.substr(1, code_.find_first_of("!%~", 1) - 1));
  return {};
}

FieldType FieldType::field(std::string_view name) const {
  if (is_map()) return element();
  if (!is_object()) return {};
  std::string_view left = fields_of(code_);
  while (!left.empty()) {
    const std::string_view one = left.substr(0, left.find(' '));
    left.remove_prefix(std::min(one.size() + 1, left.size()));
    const std::size_t colon = one.find(':');
    if (one.substr(0, colon) == name && colon != std::string_view::npos)
      return FieldType(one.substr(colon + 1));
  }
  return {};
}

std::string_view FieldType::keys() const {
  const std::size_t start = is_list() ? code_.find('!') : std::string_view::npos;
  if (start == std::string_view::npos) return {};
  const std::size_t end = code_.find('~', start);
  return code_.substr(start + 1, end == std::string_view::npos ? end : end - start - 1);
}

bool FieldType::is_atomic() const {
  if (is_list()) return keys().empty() && !is_set();
  return is_object() && fields_of(code_).starts_with('#');
}

std::string_view FieldType::merge_key() const {
  const std::size_t mark = is_list() ? code_.find('~') : std::string_view::npos;
  if (mark == std::string_view::npos || is_set()) return {};
  if (mark + 1 < code_.size()) return code_.substr(mark + 1);
  return keys().substr(0, keys().find(','));
}

FieldType schema_of(const ResourceType& type) {
  return FieldType(type.schema.empty() ? type.kind : type.schema);
}

}  // namespace ferryman::sandbox
