// SPDX-License-Identifier: Apache-2.0
#include "aws/http_date.h"

#include <fmt/format.h>

namespace ferryman::aws {

std::optional<WallTime> parse_http_date(std::string_view text) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  constexpr std::string_view form = "Sun, 06 Nov 1994 08:49:37 GMT";
  if (text.size() != form.size() || !text.ends_with(" GMT")) return std::nullopt;
  const std::size_t month = months.find(text.substr(8, 3));
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  // The same digits in RFC 3339's order; its parser checks them.
  return parse_rfc3339(fmt::format("{}-{:02}-{}T{}Z", text.substr(12, 4), month / 3 + 1, text.substr(5, 2),
                                   text.substr(17, 8)));
}

}  // namespace ferryman::aws
