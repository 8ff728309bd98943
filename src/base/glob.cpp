// SPDX-License-Identifier: Apache-2.0
#include "base/glob.h"

#include <cstddef>

namespace ferryman {

// Takes the last "*" back and lets it stand for one character more whenever the rest does not fit.
bool matches_glob(std::string_view glob, std::string_view text) {
  std::size_t in_glob = 0;
  std::size_t in_text = 0;
  std::size_t after_star = std::string_view::npos;
  std::size_t resume = 0;
  while (in_text < text.size()) {
    const bool more = in_glob < glob.size();
    if (more && glob[in_glob] == '*') {
      after_star = ++in_glob;
      resume = in_text;
    } else if (more && (glob[in_glob] == '?' || glob[in_glob] == text[in_text])) {
      ++in_glob;
      ++in_text;
    } else if (after_star != std::string_view::npos) {
      in_glob = after_star;
      in_text = ++resume;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', in_glob) == std::string_view::npos;
}

}  // namespace ferryman
