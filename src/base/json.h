// SPDX-License-Identifier: Apache-2.0
// JSON from strangers: parsing that returns an Error, and look-ups that tolerate a wrong type.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ferryman {

namespace json = boost::json;

/// What strings may hold.
enum class JsonText : std::uint8_t {
  utf8,       // anything else is an error
  any_bytes,  // kept as they are: one broken string must not spoil the whole document
};

/// At most 32 levels deep. Error: invalid, with the offset of the trouble.
Result<json::value> parse_json(std::string_view text, JsonText strings = JsonText::utf8);

/// The member, or null when `parent` is null, is no object or has no such member: look-ups can be chained.
const json::value* find(const json::value* parent, std::string_view key);
inline const json::value* find(const json::value& parent, std::string_view key) {
  return find(&parent, key);
}

/// Empty when the member is missing or of another type.
std::string_view string_at(const json::value* parent, std::string_view key);
inline std::string_view string_at(const json::value& parent, std::string_view key) {
  return string_at(&parent, key);
}

std::optional<std::int64_t> integer_at(const json::value* parent, std::string_view key);
bool bool_at(const json::value* parent, std::string_view key);

/// Null when the member is missing or no array.
const json::array* array_at(const json::value* parent, std::string_view key);

}  // namespace ferryman
