// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ferryman {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";
constexpr std::string_view ellipsis = "\xe2\x80\xa6";

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

struct Form {
  unsigned char mask;
  unsigned char lead;
  std::size_t length;
  std::uint32_t lowest;  // a longer form of a smaller number is forbidden
};
constexpr std::array<Form, 4> forms = {
    {{0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}}};

/// Bytes of the character at the front; 0 when there is none. Forms: RFC 3629.
std::size_t character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  for (const Form& form : forms) {
    if ((lead & form.mask) != form.lead) continue;
    if (text.size() < form.length) return 0;
    std::uint32_t number = lead & static_cast<unsigned char>(~form.mask);
    for (std::size_t i = 1; i < form.length; ++i) {
      if (!continues(text[i])) return 0;
      number = (number << 6U) | (static_cast<unsigned char>(text[i]) & 0x3fU);
    }
    const bool surrogate = number >= 0xd800 && number <= 0xdfff;
    return number >= form.lowest && number <= 0x10ffff && !surrogate ? form.length : 0;
  }
  return 0;
}

}  // namespace

std::string to_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = character(bytes);
    text += length == 0 ? replacement : bytes.substr(0, length);
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && continues(text[end])) --end;
  return std::string(text.substr(0, end)) + std::string(ellipsis);
}

std::string first_few(const std::vector<std::string>& texts) {
  constexpr std::size_t few = 10;
  std::string joined;
  for (std::size_t i = 0; i < std::min(texts.size(), few); ++i) {
    if (i > 0) joined += "; ";
    joined += texts[i];
  }
  if (texts.size() > few) joined += "; and " + std::to_string(texts.size() - few) + " more";
  return joined;
}

}  // namespace ferryman
