// SPDX-License-Identifier: Apache-2.0
// The settings of the group "Drain" as the product's DrainPolicy, and what among them cannot work.
#pragma once

#include <string>
#include <vector>

#include "app/settings_resolver.h"
#include "termination/drain_policy.h"

namespace ferryman::app {

class DrainReading {
 public:
  /// What cannot work keeps its default in the policy.
  explicit DrainReading(const ResolvedSettings& resolved);

  termination::DrainPolicy policy;
  std::vector<std::string> problems;  // each names setting, source, value and cure

 private:
  void read_plain();
  void read_grace();
  void read_selectors();
  void read_waits();
  void read_waves();
  void read_phases();
  LabelSelector selector(std::string_view name);
  void refuse(std::string_view name, std::string_view why);

  const ResolvedSettings& resolved_;
};

}  // namespace ferryman::app
