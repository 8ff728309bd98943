// SPDX-License-Identifier: Apache-2.0
// Departures: takes instances out of their pools and watches until they are let go. All that leave a pool
// share its calls (departure.h).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/scope.h"
#include "termination/balancers/departure.h"

namespace ferryman::termination::balancers {

class Departures {
 public:
  /// Two loops per pool run in `loops` while targets leave it; the owner of `loops` cancels and joins it.
  Departures(Context& context, PoolCalls& calls, Rights& rights, Scope& loops)
      : gate_(context, calls, rights), loops_(loops) {}

  /// The instance was said to end and will leave in a moment: who leaves before it waits a little for it.
  void expect(const InstanceId& instance_id);
  /// Again for the same instance: what is new joins, and how all of it leaves is as said last.
  void leave(const Leaving& leaving, const std::vector<Registration>& registrations);
  /// The instance's work is over, whatever is left of it.
  void forget(const InstanceId& instance_id);

  /// Until no call that takes it out is under way: what is registered before that is taken out again.
  Task<void> wait_for_calls(InstanceId instance_id, Deadline deadline);

  /// Targets of the instance, by their pools' ids, that somebody else took out before we did.
  [[nodiscard]] std::vector<std::pair<std::string, Target>> left_by_others(
      const InstanceId& instance_id) const;

  [[nodiscard]] Progress progress(const InstanceId& instance_id) const;
  /// What is not let go, in words: "target group web: draining".
  [[nodiscard]] std::vector<std::string> held(const InstanceId& instance_id) const;
  /// Notified whenever a target's progress changes.
  Signal& changed() { return gate_.changed; }

 private:
  void arrive(const InstanceId& instance_id);
  void run(const std::shared_ptr<Departure>& departure);

  Gate gate_;
  Scope& loops_;
  std::map<Pool, std::shared_ptr<Departure>> pools_;
  std::map<InstanceId, std::vector<std::shared_ptr<Departure>>> by_instance_;
};

}  // namespace ferryman::termination::balancers
