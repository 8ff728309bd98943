// SPDX-License-Identifier: Apache-2.0
// Delays: how long the targets of a pool drain at most, asked once in a while for all that leave it.
#pragma once

#include <map>
#include <optional>

#include "termination/balancers/pool_calls.h"
#include "termination/balancers/rights.h"

namespace ferryman::termination::balancers {

class Delays {
 public:
  /// All outlive this.
  Delays(Context& context, PoolCalls& calls, Rights& rights)
      : context_(context), calls_(calls), rights_(rights) {}

  [[nodiscard]] std::optional<Duration> known(const Pool& pool) const;
  /// Asks, unless it was asked a short while ago, with or without success.
  Task<void> learn(Pool pool);

 private:
  struct Row {
    std::optional<Duration> delay;
    SteadyTime ask_again{};
  };

  Context& context_;
  PoolCalls& calls_;
  Rights& rights_;
  std::map<Pool, Row> rows_;
};

/// The setting of a pool that says how long its targets drain, as people know it.
std::string delay_setting(const Pool& pool);

}  // namespace ferryman::termination::balancers
