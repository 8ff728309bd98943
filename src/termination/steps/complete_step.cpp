// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/complete_step.h"

#include <algorithm>

#include "termination/heartbeat.h"

namespace ferryman::termination::steps {

Task<Result<bool>> CompleteStep::waits(InstanceId instance_id) {
  std::vector<InstanceId> ids{instance_id};
  FERRYMAN_TRY(members, co_await cloud_.group_members(std::move(ids), context_.call_deadline()));
  co_return std::any_of(members.begin(), members.end(), [&](const GroupMember& member) {
    return member.instance_id == instance_id && is_waiting(member.lifecycle_state);
  });
}

Task<Completion> CompleteStep::run(LifecycleAction action, CompletionResult result, Deadline deadline) {
  // Hundreds that end together wait for Auto Scaling's rate in one line, not by trying again and again.
  constexpr Duration longest_turn = std::chrono::minutes{3};
  const Log log = log_.with({{"hook", action.hook}});
  for (int attempt = 1;; ++attempt) {
    const SteadyTime in_line = deadline.at_most(context_.clock, longest_turn).at();
    const Deadline turn(std::max(context_.call_deadline().at(), in_line));
    const Result<void> answer = co_await cloud_.complete(action, result, turn);
    if (answer) {
      context_.metrics.completions.add();
      log.info("lifecycle_action.completed", {{"attempts", attempt}});
      co_return Completion::accepted;
    }
    const Fault fault = answer.error().fault;
    if (fault == Fault::invalid || fault == Fault::not_found) {
      const Result<bool> waiting = co_await waits(action.instance_id);
      // Without a token the call goes by instance and hook: refused again, the wait that is left is another
      // hook's.
      if (waiting && (!*waiting || action.token.empty())) {
        log.info("lifecycle_action.over", {{"reason", answer.error()}});
        co_return Completion::over;
      }
      if (waiting) action.token.clear();
    }
    const Duration pause = patient_back_off(attempt, context_.random);
    log.warn("completion.failed", {{"error", answer.error()}, {"retry_in", pause}});
    if (deadline.left(context_.clock) <= pause) {
      log.error("completion.lost",
                {{"cure", "Auto Scaling ends the wait at the hook's own timeout; see the error above"}});
      co_return Completion::lost;
    }
    co_await context_.clock.sleep_for(pause);
  }
}

}  // namespace ferryman::termination::steps
