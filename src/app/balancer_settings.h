// SPDX-License-Identifier: Apache-2.0
// BalancerReading: the settings about load balancers as part of the product's Policy, and what among them
// cannot work.
#pragma once

#include <string>
#include <vector>

#include "app/settings_resolver.h"
#include "termination/policy.h"

namespace ferryman::app {

class BalancerReading {
 public:
  explicit BalancerReading(const ResolvedSettings& resolved) : resolved_(resolved) {}

  /// What cannot work keeps its default; each problem names setting, source, value and cure.
  void read_into(termination::Policy& policy, std::vector<std::string>& problems) const;

 private:
  void read_kinds(termination::Policy& policy, std::vector<std::string>& problems) const;
  void read_types(termination::Policy& policy, std::vector<std::string>& problems) const;
  void read_tags(termination::Policy& policy, std::vector<std::string>& problems) const;

  const ResolvedSettings& resolved_;
};

}  // namespace ferryman::app
