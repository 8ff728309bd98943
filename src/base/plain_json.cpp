// SPDX-License-Identifier: Apache-2.0
#include "base/plain_json.h"

#include <array>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <cmath>

namespace ferryman {

namespace {

namespace json = boost::json;

// With a fraction always: a reader that looks at one value must not take the field for whole numbers.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";  // JSON has no word for it
  std::array<char, 512> digits{};            // the largest has 309, the smallest some 340
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  std::string text(digits.data(), end.ptr);
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

void print(std::string& out, const json::value& value) {
  if (const double* real = value.if_double()) {
    out += number(*real);
  } else if (const json::object* object = value.if_object()) {
    char before = '{';
    for (const auto& [key, member] : *object) {
      out += before + json::serialize(json::value(key)) + ":";
      print(out, member);
      before = ',';
    }
    out += object->empty() ? "{}" : "}";
  } else if (const json::array* array = value.if_array()) {
    char before = '[';
    for (const json::value& item : *array) {
      out += before;
      print(out, item);
      before = ',';
    }
    out += array->empty() ? "[]" : "]";
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

std::string plain_json(const json::value& value) {
  std::string out;
  print(out, value);
  return out;
}

}  // namespace ferryman
