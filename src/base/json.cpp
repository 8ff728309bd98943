// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <fmt/format.h>

#include <boost/json/stream_parser.hpp>

namespace ferryman {

Result<json::value> parse_json(std::string_view text, JsonText strings) {
  json::parse_options options;
  options.max_depth = 32;
  options.allow_invalid_utf8 = strings == JsonText::any_bytes;
  json::stream_parser parser({}, options);
  boost::system::error_code failed;
  const std::size_t read = parser.write_some(text.data(), text.size(), failed);
  if (!failed && read < text.size()) {
    return Error(Fault::invalid, fmt::format("not JSON: something follows the value at byte {}", read));
  }
  if (!failed) parser.finish(failed);
  if (failed) return Error(Fault::invalid, fmt::format("not JSON: {} near byte {}", failed.message(), read));
  return parser.release();
}

const json::value* find(const json::value* parent, std::string_view key) {
  if (parent == nullptr || !parent->is_object()) return nullptr;
  return parent->get_object().if_contains(key);
}

std::string_view string_at(const json::value* parent, std::string_view key) {
  const json::value* member = find(parent, key);
  if (member == nullptr || !member->is_string()) return {};
  return member->get_string();
}

std::optional<std::int64_t> integer_at(const json::value* parent, std::string_view key) {
  const json::value* member = find(parent, key);
  if (member == nullptr || !member->is_int64()) return std::nullopt;
  return member->get_int64();
}

bool bool_at(const json::value* parent, std::string_view key) {
  const json::value* member = find(parent, key);
  return member != nullptr && member->is_bool() && member->get_bool();
}

const json::array* array_at(const json::value* parent, std::string_view key) {
  const json::value* member = find(parent, key);
  return member != nullptr && member->is_array() ? &member->get_array() : nullptr;
}

}  // namespace ferryman
