// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/protobuf_body.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <charconv>
#include <optional>
#include <string>

#include "base/time.h"
#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view magic("k8s\0", 4);
constexpr int most_levels = 32;

/// One field of a message: a number, or bytes.
class WireField {
 public:
  std::uint64_t number = 0;
  bool plain = false;       // a varint
  std::uint64_t value = 0;  // of a varint
  std::string_view bytes;   // of the others
};

std::optional<std::uint64_t> take_varint(std::string_view& text) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !text.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  return std::nullopt;
}

/// Wire types: 0 a varint, 1 eight bytes, 2 bytes with their length, 5 four bytes.
std::optional<WireField> take_field(std::string_view& text) {
  const auto tag = take_varint(text);
  if (!tag) return std::nullopt;
  WireField field;
  field.number = *tag >> 3U;
  const std::uint64_t kind = *tag & 7U;
  std::optional<std::uint64_t> length;
  if (kind == 0) {
    const auto value = take_varint(text);
    if (!value) return std::nullopt;
    field.plain = true;
    field.value = *value;
    return field;
  }
  if (kind == 1) length = 8;
  if (kind == 5) length = 4;
  if (kind == 2) length = take_varint(text);
  if (!length || *length > text.size()) return std::nullopt;
  field.bytes = text.substr(0, *length);
  text.remove_prefix(*length);
  return field;
}

/// A message's row: the field with a number.
class RowEntry {
 public:
  std::string_view name;
  char form = ' ';
};

std::optional<RowEntry> entry_of(std::string_view row, std::uint64_t number) {
  while (!row.empty()) {
    std::string_view one = row.substr(0, row.find(' '));
    row.remove_prefix(std::min(one.size() + 1, row.size()));
    std::uint64_t has = 0;
    const auto parsed = std::from_chars(one.data(), one.data() + one.size(), has);
    if (parsed.ec != std::errc() || has != number || !one.substr(one.find(':')).starts_with(':')) continue;
    one.remove_prefix(one.find(':') + 1);
    RowEntry entry;
    entry.name = one.substr(0, one.find(':'));
    if (entry.name.size() < one.size()) entry.form = one.back();
    return entry;
  }
  return std::nullopt;
}

std::string base64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // and the zero that OpenSSL puts behind it
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

/// Time and MicroTime are seconds and nanoseconds; an empty one is none.
json::value time_value(std::string_view bytes) {
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  while (!bytes.empty()) {
    const auto field = take_field(bytes);
    if (!field) return {};
    if (field->number == 1) seconds = static_cast<std::int64_t>(field->value);
    if (field->number == 2) nanos = static_cast<std::int64_t>(field->value);
  }
  constexpr std::int64_t most = 8'000'000'000;  // in the year 2223; our times hold nanoseconds until 2262
  if (seconds == 0 || seconds > most || seconds < 0 || nanos < 0 || nanos > 999'999'999) return {};
  const WallTime second(std::chrono::duration_cast<WallTime::duration>(std::chrono::seconds{seconds}));
  std::string text = format_rfc3339(second);
  if (nanos > 0) text.replace(text.size() - 1, 1, fmt::format(".{:06}Z", nanos / 1000));
  return json::value(text);
}

/// Quantity{1: text}; IntOrString{1: which, 2: number, 3: text}.
json::value quantity_value(std::string_view bytes) {
  json::value value;
  bool text = true;
  while (!bytes.empty()) {
    const auto field = take_field(bytes);
    if (!field) return {};
    if (field->number == 1 && field->plain) text = field->value == 1;
    if (field->number == 1 && !field->plain) value = json::value(field->bytes);
    if (field->number == 2 && !text) value = static_cast<std::int64_t>(field->value);
    if (field->number == 3 && text) value = json::value(field->bytes);
  }
  return value;
}

json::value raw_value(std::string_view bytes) {
  const auto field = take_field(bytes);
  if (!field || field->plain) return {};
  auto parsed = parse_json(field->bytes);
  return parsed ? std::move(*parsed) : json::value();
}

bool add_message(json::value& target, std::string_view bytes, std::string_view message, FieldType type,
                 int level);

/// Null: nothing to be told. Empty: not readable.
std::optional<json::value> single(const WireField& field, char form, FieldType type, int level) {
  switch (form) {
    case 'T':
      return time_value(field.bytes);
    case 'Q':
    case 'I':
      return quantity_value(field.bytes);
    case 'F':
      return raw_value(field.bytes);
    case 'B':
      return json::value(base64(field.bytes));
    default:
      break;
  }
  if (type.is_object()) {
    json::value made = json::object();
    if (field.plain || !add_message(made, field.bytes, type.name(), type, level + 1)) return std::nullopt;
    return made;
  }
  switch (type.form()) {
    case 'b':
      return field.value != 0;
    case 'i':
    case 'l':
      return static_cast<std::int64_t>(field.value);
    // A text that is not set is written as an empty one.
    default:
      return field.bytes.empty() ? json::value() : json::value(field.bytes);
  }
}

/// {1: key, 2: value}; values that are lists (of a review's extra) are messages with their items.
bool add_to_map(json::value& target, std::string_view bytes, char form, FieldType element, int level) {
  std::string_view key;
  json::value value("");
  while (!bytes.empty()) {
    const auto field = take_field(bytes);
    if (!field || field->plain) return false;
    if (field->number == 1) key = field->bytes;
    if (field->number != 2 || element.is_list()) continue;
    auto made = single(*field, form, element, level);
    if (!made) return false;
    if (!made->is_null()) value = std::move(*made);
  }
  if (!target.is_object()) target.emplace_object();
  if (!element.is_list()) target.get_object()[key] = std::move(value);
  return true;
}

bool add_field(json::value& target, const WireField& field, char form, FieldType type, int level) {
  if (type.is_map()) return !field.plain && add_to_map(target, field.bytes, form, type.element(), level);
  if (type.is_list()) {
    auto item = single(field, form, type.element(), level);
    if (!item) return false;
    if (!target.is_array()) target.emplace_array();
    // An empty text in a list is meant: the core group.
    target.get_array().push_back(item->is_null() && type.element().form() == 's' ? json::value("") : *item);
    return true;
  }
  auto value = single(field, form, type, level);
  if (value) target = std::move(*value);
  return value.has_value();
}

bool add_message(json::value& target, std::string_view bytes, std::string_view message, FieldType type,
                 int level) {
  if (level > most_levels) return false;
  const std::string_view row = wire_fields_of(message);
  while (!bytes.empty()) {
    const auto field = take_field(bytes);
    if (!field) return false;
    const auto entry = entry_of(row, field->number);
    if (!entry) continue;
    if (entry->form == '>') {
      if (field->plain || !add_message(target, field->bytes, entry->name, type, level + 1)) return false;
      continue;
    }
    json::object& object = target.get_object();
    if (!add_field(object[entry->name], *field, entry->form, type.field(entry->name), level)) return false;
    // Numbers that are not set are written as 0, which only this field never is.
    const json::value& made = object[entry->name];
    const bool unset = entry->name == "generation" && made.is_int64() && made.get_int64() == 0;
    if (made.is_null() || unset) object.erase(entry->name);
  }
  return true;
}

}  // namespace

Result<json::value> parse_protobuf(std::string_view body, FieldType type) {
  const Error broken(Fault::invalid, "the body is not the protobuf message that it should be");
  if (!body.starts_with(magic)) return broken;
  body.remove_prefix(magic.size());
  json::value object = json::object();
  while (!body.empty()) {
    const auto field = take_field(body);
    if (!field) return broken;
    if (field->number == 2 && !add_message(object, field->bytes, type.name(), type, 0)) return broken;
    if (field->number != 1) continue;
    std::string_view names = field->bytes;
    while (!names.empty()) {
      const auto name = take_field(names);
      if (!name) return broken;
      if (name->number == 1) object.get_object()["apiVersion"] = name->bytes;
      if (name->number == 2) object.get_object()["kind"] = name->bytes;
    }
  }
  return object;
}

}  // namespace ferryman::sandbox
