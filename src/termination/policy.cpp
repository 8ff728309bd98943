// SPDX-License-Identifier: Apache-2.0
#include "termination/policy.h"

#include <algorithm>

#include "base/glob.h"

namespace ferryman::termination {

bool is_our_hook(const Policy& policy, std::string_view hook) {
  return std::any_of(policy.hooks.begin(), policy.hooks.end(),
                     [&](const std::string& glob) { return matches_glob(glob, hook); });
}

}  // namespace ferryman::termination
