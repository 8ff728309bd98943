// SPDX-License-Identifier: Apache-2.0
#include "net/http.h"

#include <algorithm>
#include <charconv>

namespace ferryman::net {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

void Headers::set(std::string_view name, std::string value) {
  std::erase_if(fields_, [&](const auto& field) { return same_name(field.first, name); });
  add(std::string(name), std::move(value));
}

std::string_view Headers::get(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const auto& field) { return same_name(field.first, name); });
  return found == fields_.end() ? std::string_view() : std::string_view(found->second);
}

bool Headers::has(std::string_view name) const {
  return std::any_of(fields_.begin(), fields_.end(),
                     [&](const auto& field) { return same_name(field.first, name); });
}

std::int64_t retry_after_millis(const Headers& headers) {
  const std::string_view text = headers.get("Retry-After");
  std::int64_t whole_seconds = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), whole_seconds);
  constexpr std::int64_t longest = 86'400;
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || whole_seconds < 0) return 0;
  return std::min(whole_seconds, longest) * 1000;
}

}  // namespace ferryman::net
