// SPDX-License-Identifier: Apache-2.0
// Setting values: text to value by the type of the row. Errors say what is wrong and how to write it,
// ready to stand after the name and the value: "is not a duration; write it like 90s".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/settings_table.h"
#include "base/duration_text.h"
#include "base/result.h"
#include "base/time.h"

namespace ferryman::app {

/// Where to listen. An empty host means all addresses.
class Address {
 public:
  Address() = default;
  Address(std::string host_in, std::uint16_t port_in) : host(std::move(host_in)), port(port_in) {}
  friend bool operator==(const Address&, const Address&) = default;

  std::string host;  // an IP address without brackets
  std::uint16_t port = 0;
};

/// "127.0.0.1:8080", "[::1]:8080", ":8080".
std::string format_address(const Address& address);

using SettingValue =
    std::variant<std::string, bool, std::int64_t, Duration, std::vector<std::string>, Address>;

/// Error: invalid.
Result<SettingValue> parse_setting(const SettingRow& row, std::string_view text);

/// The words of a blank-separated list of a row.
std::vector<std::string_view> words(std::string_view text);

}  // namespace ferryman::app
