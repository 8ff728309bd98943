// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/schedule.h"

#include <algorithm>
#include <array>

namespace ferryman::termination::drain {

namespace {

SteadyTime latest_start(const PodRow& row, const Plan& plan, const Policy& policy) {
  return plan.deadline - row.pod.grace - policy.margin;
}

/// An eviction is tried once even when the pod's grace no longer fits: a budget that allows it is better than
/// none.
SteadyTime remove_from(const PodRow& row, const Plan& plan, const Policy& policy) {
  if (plan.budgets_hold) return plan.deadline;
  if (plan.immediate && row.refusals > 0) return plan.started;
  const SteadyTime fits = row.refusals > 0 ? latest_start(row, plan, policy) : plan.delete_from;
  return std::min(plan.delete_from, fits);
}

/// A pod that takes traffic goes when nothing is sent any more, but in time for its grace.
SteadyTime evict_from(const PodRow& row, const Plan& plan, const Policy& policy) {
  return std::min({row.held_until, latest_start(row, plan, policy), plan.delete_from});
}

}  // namespace

Move next_move(const PodRow& row, const Plan& plan, const Policy& policy, SteadyTime now) {
  if (row.in_flight || now < row.next_attempt || row.verdict.treatment == Treatment::skip ||
      row.verdict.treatment == Treatment::keep) {
    return Move::none;
  }
  // Forced, our own pod would take the process along that still has to send the completion.
  if (now >= plan.force_from && !row.own) return row.forced ? Move::none : Move::force;
  // An accepted eviction whose pod does not terminate was not one, whatever answered: it is asked again.
  if (row.pod.terminating || row.verdict.treatment == Treatment::wait) return Move::none;
  if (now < evict_from(row, plan, policy)) return Move::none;
  return now >= remove_from(row, plan, policy) ? Move::remove : Move::evict;
}

std::chrono::seconds capped_grace(const PodRow& row, const Plan& plan, const Policy& policy, SteadyTime now) {
  using std::chrono::seconds;
  const auto left = std::chrono::duration_cast<seconds>(plan.deadline - policy.margin - now);
  return std::clamp(row.pod.grace, seconds{1}, std::max(left, seconds{1}));
}

SteadyTime next_look(const PodRow& row, const Plan& plan, const Policy& policy, SteadyTime now) {
  SteadyTime next = plan.deadline;
  const std::array turns = {row.next_attempt, evict_from(row, plan, policy), remove_from(row, plan, policy),
                            plan.force_from};
  for (const SteadyTime turn : turns) {
    if (turn > now) next = std::min(next, turn);
  }
  return next;
}

}  // namespace ferryman::termination::drain
