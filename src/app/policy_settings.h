// SPDX-License-Identifier: Apache-2.0
// PolicyReading: the settings as the product's Policy, and what among them cannot work. Account and region
// are not theirs to say.
#pragma once

#include <string>
#include <vector>

#include "app/settings_resolver.h"
#include "termination/policy.h"

namespace ferryman::app {

class PolicyReading {
 public:
  PolicyReading() = default;
  /// What cannot work keeps its default in the policy.
  explicit PolicyReading(const ResolvedSettings& resolved);

  termination::Policy policy;
  std::vector<std::string> problems;  // each names setting, source, value and cure
};

}  // namespace ferryman::app
