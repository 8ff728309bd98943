// SPDX-License-Identifier: Apache-2.0
#include "termination/policy.h"

#include <algorithm>

#include "base/glob.h"

namespace ferryman::termination {

namespace {

constexpr std::array<std::string_view, action_levels> action_names = {"ignore", "taint", "cordon", "drain"};

}  // namespace

std::string_view name_of(Action action) {
  return action_names.at(static_cast<std::size_t>(action));
}

std::optional<Action> parse_action(std::string_view name) {
  const auto found = std::find(action_names.begin(), action_names.end(), name);
  if (found == action_names.end()) return std::nullopt;
  return static_cast<Action>(found - action_names.begin());
}

bool is_our_hook(const Policy& policy, std::string_view hook) {
  bool ours = false;
  for (const std::string_view glob : policy.hooks) {
    const bool excludes = glob.starts_with('!');
    if (!matches_glob(excludes ? glob.substr(1) : glob, hook)) continue;
    if (excludes) return false;
    ours = true;
  }
  return ours;
}

}  // namespace ferryman::termination
