// SPDX-License-Identifier: Apache-2.0
#include "kube/base64.h"

#include <cstdint>

namespace ferryman::kube {

std::optional<std::string> decode_base64(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  unsigned held = 0;  // how many bits are not written yet
  std::size_t digits = 0;
  bool padded = false;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == ' ' || c == '\t') continue;
    const std::size_t digit = alphabet.find(c);
    padded = padded || c == '=';
    if (padded ? c != '=' : digit == std::string_view::npos) return std::nullopt;
    if (padded) continue;
    ++digits;
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>((bits >> held) & 0xFFU);
  }
  if (digits % 4 == 1) return std::nullopt;
  return bytes;
}

}  // namespace ferryman::kube
