// SPDX-License-Identifier: Apache-2.0
// Departures: takes instances out of their pools and watches until they are let go. All that leave a pool
// share its calls (departure.h).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/scope.h"
#include "termination/balancers/departure.h"

namespace ferryman::termination::balancers {

class Departures {
 public:
  /// One loop per pool runs in `loops` while targets leave it; the owner of `loops` cancels and joins it.
  Departures(Context& context, PoolCalls& calls, Rights& rights, Scope& loops)
      : context_(context), calls_(calls), rights_(rights), loops_(loops), changed_(context.clock) {}

  void leave(const std::vector<Registration>& registrations);
  /// The instance's work is over, whatever is left of it.
  void forget(const InstanceId& instance_id);

  /// True when something that was let go is looked at once more.
  bool look_again(const InstanceId& instance_id);
  [[nodiscard]] Progress progress(const InstanceId& instance_id) const;
  /// What is not let go, in words: "target group web: draining".
  [[nodiscard]] std::vector<std::string> held(const InstanceId& instance_id) const;
  /// Notified whenever a target's progress changes.
  Signal& changed() { return changed_; }

 private:
  Departure& departure_of(const Pool& pool);

  Context& context_;
  PoolCalls& calls_;
  Rights& rights_;
  Scope& loops_;
  Signal changed_;
  std::map<Pool, std::shared_ptr<Departure>> pools_;
};

}  // namespace ferryman::termination::balancers
