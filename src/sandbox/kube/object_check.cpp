// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_check.h"

#include <fmt/format.h>

namespace ferryman::sandbox {

namespace {

std::string joined(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

void drop(json::value& value, FieldType type, const std::string& path, std::vector<std::string>& unknown) {
  if (type.is_list() && value.is_array()) {
    std::size_t number = 0;
    for (json::value& item : value.get_array()) {
      drop(item, type.element(), fmt::format("{}[{}]", path, number++), unknown);
    }
    return;
  }
  if ((!type.is_object() && !type.is_map()) || !value.is_object()) return;
  std::vector<std::string> gone;
  for (auto& member : value.get_object()) {
    const FieldType field = type.field(member.key());
    if (field.known()) {
      drop(member.value(), field, joined(path, member.key()), unknown);
    } else {
      gone.emplace_back(member.key());
    }
  }
  for (const std::string& name : gone) {
    unknown.push_back(joined(path, name));
    value.get_object().erase(name);
  }
}

std::string_view json_word(const json::value& value) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_array()) return "array";
  return value.is_object() ? "object" : "number";
}

bool fits(const json::value& value, FieldType type) {
  const bool number = value.is_int64() || value.is_uint64();
  if (value.is_null()) return true;
  if (type.is_list()) return value.is_array();
  if (type.is_map() || type.is_object()) return value.is_object();
  switch (type.form()) {
    case 's':
      return value.is_string();
    case 'b':
      return value.is_bool();
    case 'i':
    case 'l':
      return number;
    case 'n':
      return number || value.is_double();
    case 'q':
      return number || value.is_double() || value.is_string();
    default:
      return true;
  }
}

/// As Go writes it.
std::string type_word(FieldType type) {
  if (type.is_list()) return "[]" + type_word(type.element());
  if (type.is_map()) return "map[string]" + type_word(type.element());
  switch (type.is_object() ? 'O' : type.form()) {
    case 'b':
      return "bool";
    case 'i':
      return "int32";
    case 'l':
      return "int64";
    case 'O':
      return fmt::format("v1.{}", type.name().substr(type.name().rfind('.') + 1));
    default:
      return "string";
  }
}

/// Where a value stands: in which type, and under which path (the decoder leaves indices out).
struct Where {
  std::string_view owner;
  std::string path;
};

std::string check(const json::value& value, FieldType type, const Where& where) {
  if (!fits(value, type)) {
    return fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}", json_word(value),
                       where.owner.substr(where.owner.rfind('.') + 1), where.path, type_word(type));
  }
  if (value.is_array() && type.is_list()) {
    for (const json::value& item : value.get_array()) {
      if (std::string wrong = check(item, type.element(), where); !wrong.empty()) return wrong;
    }
  }
  if (!value.is_object()) return {};
  for (const auto& member : value.get_object()) {
    const FieldType field = type.field(member.key());
    if (!field.known()) continue;
    // The values of a map are told under the map's own path.
    const Where inner = type.is_map() ? where : Where{type.name(), joined(where.path, member.key())};
    if (std::string wrong = check(member.value(), field, inner); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace

std::vector<std::string> drop_unknown(json::value& object, FieldType type) {
  std::vector<std::string> unknown;
  drop(object, type, "", unknown);
  return unknown;
}

std::string wrong_type(const json::value& object, FieldType type) {
  return check(object, type, {});
}

std::string strict_text(const std::vector<std::string>& unknown) {
  std::string text = "strict decoding error: ";
  for (const std::string& path : unknown) {
    if (&path != &unknown.front()) text += ", ";
    text += fmt::format("unknown field \"{}\"", path);
  }
  return text;
}

}  // namespace ferryman::sandbox
