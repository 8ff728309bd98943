// SPDX-License-Identifier: Apache-2.0
// Evacuation: what empties a marked node: out of its load balancers, its pods drained, until nothing flows to
// it any more. The termination decides when each part begins.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "termination/crew.h"
#include "termination/outcome.h"
#include "termination/steps/after_marks_step.h"
#include "termination/steps/drain_step.h"
#include "termination/steps/leave_step.h"
#include "termination/steps/volume_step.h"

namespace ferryman::termination {

class Evacuation {
 public:
  /// All outlive this but the narrator, which is shared; the plan changes as events join.
  Evacuation(Crew& crew, steps::ClaimStep& claim, const Plan& plan, std::shared_ptr<Narrator> narrator,
             Log log);

  /// An earlier run began with it.
  void resume();
  /// The plan changed.
  void replan();
  /// The node stays after all: what is not done yet is not missed.
  void call_off();
  /// After that: until no call that takes it out of a load balancer is under way.
  Task<void> calls_over(Deadline deadline) { return deregister_.calls_over(deadline); }
  /// EC2 says that the instance is off.
  Task<void> note_off() { return after_marks_.off(context_.call_deadline()); }

  /// Before the node is marked for a drain.
  void foresee() {
    if (context_.policy.deregister) leave_.foresee();
  }
  /// Takes the instance out of its load balancers; goes on by itself when this returns.
  Task<void> leave_balancers() { return leave_.leave(); }
  /// Until all pods that the plan chose are gone and, for as long as the policy and the kind of end allow,
  /// their volumes detached. cut_short: the deadline came first, what was left is named; cancelled: called
  /// off.
  Task<TerminationResult> drain();
  /// Until every target is let go and nothing is sent to the node any more. cut_short: as above.
  Task<TerminationResult> settle();

  [[nodiscard]] std::size_t pods_left() const { return drain_.pods_left(); }
  /// "pod shop/web-1: …", "target group web: draining".
  [[nodiscard]] std::vector<std::string> waits_for() const;

 private:
  static Task<void> note_volumes(std::shared_ptr<steps::VolumeStep> volumes, std::vector<Pod> pods,
                                 Deadline deadline);
  Task<void> wait_for_volumes();
  [[nodiscard]] Duration volume_wait() const;
  void tell_left(const drain::NodeReport& report);

  Crew& crew_;
  Context& context_;
  steps::ClaimStep& claim_;
  const Plan& plan_;
  std::shared_ptr<Narrator> narrator_;
  Log log_;
  steps::DrainStep drain_;
  steps::DeregisterStep deregister_;
  steps::LeaveStep leave_;
  std::shared_ptr<steps::VolumeStep> volumes_;  // shared with the calls that read claims
  steps::AfterMarksStep after_marks_;
  bool called_off_ = false;
};

}  // namespace ferryman::termination
