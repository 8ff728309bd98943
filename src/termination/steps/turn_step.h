// SPDX-License-Identifier: Apache-2.0
// TurnStep: an end that may come to nothing has its time and its turn: the scheduled change's lead before its
// start, a Node that is old enough, and room under the share of Nodes that may be out, and no pause. What is
// forced begins at once.
#pragma once

#include <functional>

#include "termination/pause_switch.h"
#include "termination/steps/claim_step.h"
#include "termination/voluntary_limit.h"

namespace ferryman::termination::steps {

class TurnStep {
 public:
  TurnStep(Context& context, Cluster& cluster, VoluntaryLimit& limit, const PauseSwitch& pause,
           ClaimStep& claim, InstanceId instance_id, Log log);
  TurnStep(const TurnStep&) = delete;
  TurnStep& operator=(const TurnStep&) = delete;
  ~TurnStep() { limit_.leave(instance_id_); }

  /// True: the work begins now, or there is no Node that could be waited for.
  [[nodiscard]] bool has_come();

  /// Until `has_come` or `given_up`. Meanwhile the claim on the Node is the plan: no restart loses it, and
  /// its messages are done with.
  Task<void> wait(const std::function<bool()>& given_up);
  /// Events joined, or it is given up.
  Signal& changed() { return changed_; }

 private:
  [[nodiscard]] bool is_pressing() const;
  [[nodiscard]] SteadyTime begins(const Node& node) const;

  Context& context_;
  Cluster& cluster_;
  VoluntaryLimit& limit_;
  const PauseSwitch& pause_;
  ClaimStep& claim_;
  InstanceId instance_id_;
  Log log_;
  Signal changed_;
};

}  // namespace ferryman::termination::steps
