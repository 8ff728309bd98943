// SPDX-License-Identifier: Apache-2.0
// LeaveStep: out of every load balancer, with the claim's help: what is taken out is noted on the Node first.
#pragma once

#include "termination/plan.h"
#include "termination/steps/claim_step.h"
#include "termination/steps/deregister_step.h"

namespace ferryman::termination::steps {

class LeaveStep {
 public:
  /// All outlive this; the plan changes as events join.
  LeaveStep(Context& context, ClaimStep& claim, DeregisterStep& deregister, const Plan& plan)
      : context_(context), claim_(claim), deregister_(deregister), plan_(plan) {}

  /// Before the node is marked: what is known of its load balancers goes into the same write.
  void foresee() { deregister_.foresee(claim_.claim()); }
  /// Until the instance is deregistered, at most a tenth of the time that is left, 5–60 s: evictions wait for
  /// it, and balancers that cannot be asked must not hold them up for long. It goes on in any case.
  Task<void> leave();

  /// The plan changed: what was kept for its sake may have to go now.
  void replan();

  /// Until every target is let go and nothing is sent to the node any more, or the plan's deadline.
  Task<void> wait_until_out();

 private:
  [[nodiscard]] Deadline leave_by() const;
  Task<void> begin(bool news);
  Task<void> wait_until_out_once();
  Task<void> look_again();

  Context& context_;
  ClaimStep& claim_;
  DeregisterStep& deregister_;
  const Plan& plan_;
  bool begun_ = false;
};

}  // namespace ferryman::termination::steps
