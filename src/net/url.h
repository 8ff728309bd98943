// SPDX-License-Identifier: Apache-2.0
// URLs taken apart and put together (RFC 3986).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ferryman::net {

using QueryParameters = std::vector<std::pair<std::string, std::string>>;

class Url {
 public:
  Url() = default;

  std::string scheme;  // "http" or "https"
  std::string host;    // without brackets for IPv6
  std::string port;    // never empty: 80 or 443 when the text names none
  std::string path;    // as sent, still encoded, starts with "/"
  std::string query;   // as sent, without "?"

  /// "host" or "host:port" when the port is not the scheme's own: what the Host header holds.
  [[nodiscard]] std::string authority() const;
};

/// Error: invalid, with the text and what is wrong with it.
Result<Url> parse_url(std::string_view text);

/// Decoded pairs in their order; a "+" is a blank (form encoding). Serves bodies of the query protocol too.
QueryParameters parse_query(std::string_view query);

/// All but A–Z a–z 0–9 - _ . ~ becomes %XX with capital digits, as SigV4 wants it.
std::string percent_encode(std::string_view text);

/// Bad escapes stay as they are.
std::string percent_decode(std::string_view text);

/// "a=1&b=2" with both sides encoded.
std::string format_query(const QueryParameters& parameters);

}  // namespace ferryman::net
