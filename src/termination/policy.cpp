// SPDX-License-Identifier: Apache-2.0
#include "termination/policy.h"

#include <algorithm>

namespace ferryman::termination {

bool matches_glob(std::string_view glob, std::string_view name) {
  std::size_t g = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n]) && glob[g] != '*') {
      ++g;
      ++n;
    } else if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = n;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', g) == std::string_view::npos;
}

bool is_our_hook(const Policy& policy, std::string_view hook) {
  return std::any_of(policy.hooks.begin(), policy.hooks.end(),
                     [&](const std::string& glob) { return matches_glob(glob, hook); });
}

}  // namespace ferryman::termination
