// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/paging.h"

#include <algorithm>

#include "net/url.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view mark = "after.";

}  // namespace

std::string token_for(std::string_view key) {
  return std::string(mark) + net::percent_encode(key);
}

Result<std::string> key_in_token(std::string_view token, std::string_view code) {
  if (!token.starts_with(mark)) return Error(Fault::invalid, std::string(code), "The token is not valid.");
  return net::percent_decode(token.substr(mark.size()));
}

Page page_of(const std::vector<std::string>& keys, const PageRequest& request) {
  const auto first =
      request.after.empty() ? keys.begin() : std::upper_bound(keys.begin(), keys.end(), request.after);
  const auto left = static_cast<std::size_t>(keys.end() - first);
  const std::size_t size = request.size == 0 ? left : std::min(left, request.size);
  Page page;
  page.keys.assign(first, first + static_cast<std::ptrdiff_t>(size));
  if (size < left) page.next_token = token_for(page.keys.back());
  return page;
}

}  // namespace ferryman::sandbox
