// SPDX-License-Identifier: Apache-2.0
// Paging: pages of a list that is sorted by key. The token names the last key given out, so that entries
// which come or go between two pages neither repeat nor hide others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ferryman::sandbox {

class PageRequest {
 public:
  PageRequest() = default;

  std::size_t size = 0;  // 0: everything in one page
  std::string after;     // keys greater than this; empty: from the start
};

/// Error with `code` when the token is none of ours.
Result<std::string> key_in_token(std::string_view token, std::string_view code);
std::string token_for(std::string_view key);

/// The page of `keys` (sorted), and the token for the next page (empty at the end).
class Page {
 public:
  std::vector<std::string> keys;
  std::string next_token;
};
Page page_of(const std::vector<std::string>& keys, const PageRequest& request);

}  // namespace ferryman::sandbox
