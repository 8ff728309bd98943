// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/wildcard.h"

#include <cstddef>

namespace ferryman::sandbox {

// Takes the last "*" back and lets it stand for one character more whenever the rest does not fit: the time
// is at most the product of both lengths, whatever a stranger sends.
bool wildcard_matches(std::string_view pattern, std::string_view text) {
  std::size_t in_pattern = 0;
  std::size_t in_text = 0;
  std::size_t after_star = std::string_view::npos;
  std::size_t resume = 0;
  while (in_text < text.size()) {
    const bool more = in_pattern < pattern.size();
    if (more && pattern[in_pattern] == '*') {
      after_star = ++in_pattern;
      resume = in_text;
    } else if (more && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[in_text])) {
      ++in_pattern;
      ++in_text;
    } else if (after_star != std::string_view::npos) {
      in_pattern = after_star;
      in_text = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

}  // namespace ferryman::sandbox
