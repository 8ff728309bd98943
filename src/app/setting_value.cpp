// SPDX-License-Identifier: Apache-2.0
#include "app/setting_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "app/nearest.h"

namespace ferryman::app {

namespace {

Error wrong(std::string text) {
  return {Fault::invalid, std::move(text)};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// What Go's flag package and strconv.ParseBool take.
Result<SettingValue> parse_boolean(std::string_view text) {
  for (const std::string_view yes : {"true", "True", "TRUE", "1", "t", "T"}) {
    if (text == yes) return SettingValue(true);
  }
  for (const std::string_view no : {"false", "False", "FALSE", "0", "f", "F"}) {
    if (text == no) return SettingValue(false);
  }
  return wrong("is neither true nor false; write true or false");
}

std::string range_of(const SettingRow& row) {
  if (row.type != SettingType::duration) return fmt::format("from {} to {}{}", row.least, row.most, row.unit);
  return fmt::format("from {} to {}", format_duration(std::chrono::seconds{row.least}),
                     format_duration(std::chrono::seconds{row.most}));
}

Result<SettingValue> parse_integer(const SettingRow& row, std::string_view text) {
  if (!row.unit.empty() && text.ends_with(row.unit)) text.remove_suffix(row.unit.size());
  const auto value = number_of<std::int64_t>(text);
  const bool bounded = row.least != row.most;
  if (!value)
    return wrong("is not an integer; write " + (bounded ? "a number " + range_of(row) : "a number"));
  if (bounded && (*value < row.least || *value > row.most)) {
    return wrong("is out of range; write a number " + range_of(row));
  }
  return SettingValue(*value);
}

Result<SettingValue> parse_bounded_duration(const SettingRow& row, std::string_view text) {
  const auto value = parse_duration(text);
  if (!value) return value.error();
  const bool bounded = row.least != row.most;
  if (bounded && (*value < std::chrono::seconds{row.least} || *value > std::chrono::seconds{row.most})) {
    return wrong("is out of range; write a duration " + range_of(row));
  }
  return SettingValue(*value);
}

Result<SettingValue> parse_choice(const SettingRow& row, std::string_view written) {
  std::string text(written);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto choices = words(row.choices);
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return SettingValue(std::move(text));
  const std::string_view meant = nearest(text, choices);
  return wrong(fmt::format("is not one of {}{}", fmt::join(choices, ", "),
                           meant.empty() ? std::string() : fmt::format("; did you mean {}?", meant)));
}

Result<SettingValue> parse_list(const SettingRow& row, std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view item = trimmed(text.substr(0, comma));
    if (!item.empty()) items.emplace_back(item);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  if (items.size() == 1 && !row.nothing.empty() && items.front() == row.nothing)
    items.clear();
  else if (items.empty() && !row.default_text.empty())
    return wrong("is an empty list; write at least one entry, with commas between them" +
                 (row.nothing.empty() ? std::string() : fmt::format(", or {}", row.nothing)));
  return SettingValue(std::move(items));
}

Result<SettingValue> parse_address(std::string_view text) {
  constexpr std::string_view cure = "write it like 127.0.0.1:8080, [::1]:8080 or :8080";
  const auto colon = text.rfind(':');
  std::string_view host = colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
  const auto port = number_of<std::uint16_t>(colon == std::string_view::npos ? text : text.substr(colon + 1));
  if (!port) return wrong(fmt::format("has no port from 0 to 65535; {}", cure));
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!bracketed && host.find(':') != std::string_view::npos) {
    return wrong(fmt::format("is ambiguous without brackets around the address; {}", cure));
  }
  // Only literal addresses: a name look-up at start could hang, and a name can mean several addresses.
  if (host.find_first_not_of("0123456789abcdefABCDEF.:%") != std::string_view::npos) {
    return wrong(fmt::format("names a host instead of an IP address; {}", cure));
  }
  return SettingValue(Address(std::string(host), *port));
}

}  // namespace

std::string format_address(const Address& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", address.host, v6 ? "]" : "", address.port);
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto blank = text.find(' ');
    out.push_back(text.substr(0, blank));
    text = blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
  }
  return out;
}

Result<SettingValue> parse_setting(const SettingRow& row, std::string_view text) {
  const std::string_view bare = trimmed(text);
  switch (row.type) {
    case SettingType::text:
      return SettingValue(std::string(bare));
    case SettingType::boolean:
      return parse_boolean(bare);
    case SettingType::integer:
      return parse_integer(row, bare);
    case SettingType::duration:
      return parse_bounded_duration(row, bare);
    case SettingType::list:
      return parse_list(row, bare);
    case SettingType::address:
      return parse_address(bare);
    case SettingType::choice:
      return parse_choice(row, bare);
  }
  return wrong("has an unknown type");
}

}  // namespace ferryman::app
