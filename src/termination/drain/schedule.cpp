// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/schedule.h"

#include <algorithm>
#include <array>

#include "base/random.h"

namespace ferryman::termination::drain {

std::chrono::seconds given_grace(const Pod& pod, const DrainPolicy& policy) {
  const std::chrono::seconds least{policy.force_grace_zero ? 0 : 1};
  return std::max(policy.grace_period.value_or(pod.grace), least);
}

std::chrono::seconds Schedule::grace_of(const PodRow& row) const {
  return given_grace(row.pod, policy_.drain);
}

SteadyTime Schedule::latest_start(const PodRow& row) const {
  constexpr Duration for_the_call = std::chrono::seconds{1};
  return plan_.deadline - grace_of(row) - policy_.margin - for_the_call;
}

/// A pod that takes traffic goes when nothing is sent any more, one with an annotation when its wait is over;
/// both in time for their grace.
SteadyTime Schedule::ask_from(const PodRow& row) const {
  const SteadyTime latest = latest_start(row);
  const SteadyTime quiet = std::min({row.held_until, latest, plan_.delete_from});
  if (!plan_.heeds_waits || !row.pod.wait_up_to) return quiet;
  return std::max(quiet, std::min(plan_.started + *row.pod.wait_up_to, latest));
}

bool Schedule::unready_too_long(const PodRow& row) const {
  const Duration limit = policy_.drain.delete_unready_after;
  return limit > Duration{0} && row.pod.unready_since && wall_now_ - *row.pod.unready_since >= limit;
}

/// An eviction is tried once even when the pod's grace no longer fits: a budget that allows it is better than
/// none.
SteadyTime Schedule::remove_from(const PodRow& row) const {
  if (row.verdict.treatment == Treatment::remove || row.verdict.treatment == Treatment::last)
    return ask_from(row);
  if (row.refusals > 0 && unready_too_long(row)) return plan_.started;
  if (plan_.budgets_hold) return plan_.deadline;
  if (plan_.immediate && row.refusals > 0) return plan_.started;
  const SteadyTime fits = row.refusals > 0 ? latest_start(row) : plan_.delete_from;
  return std::max(std::min(plan_.delete_from, fits), ask_from(row));
}

/// Forced, our own pod would take the process along that still has to send the completion. A pod that waited
/// for its turn until late, or that came late, is evicted first all the same: no budget has refused it yet.
Move Schedule::hardest_due(const PodRow& row) const {
  if (now_ >= plan_.force_from && !row.own) return Move::force;
  const bool untried =
      row.verdict.treatment == Treatment::evict && row.tried == Move::none && row.refusals == 0;
  return now_ < remove_from(row) || untried ? Move::evict : Move::remove;
}

/// A pause before the same move again, whoever asked for it, says nothing about a harder one.
bool Schedule::is_held(const PodRow& row) const {
  return now_ < row.next_attempt && (row.asked || hardest_due(row) <= row.tried);
}

Move Schedule::next_move(const PodRow& row, bool ahead) const {
  const Treatment treatment = row.verdict.treatment;
  if (row.in_flight || is_held(row) || row.indifferent() || treatment == Treatment::keep) return Move::none;
  if (treatment == Treatment::sweep) return Move::evict;
  const Move due = hardest_due(row);
  if (due == Move::force) return row.forced ? Move::none : Move::force;
  // An accepted eviction whose pod does not terminate was not one, whatever answered: it is asked again.
  if (row.pod.terminating || treatment == Treatment::wait) return Move::none;
  if (now_ < ask_from(row)) return Move::none;
  if (ahead && (row.own || now_ < latest_start(row))) return Move::none;
  return due;
}

std::string Schedule::why_not_asked(const PodRow& row, bool ahead) const {
  const Treatment treatment = row.verdict.treatment;
  const bool to_go =
      treatment == Treatment::evict || treatment == Treatment::remove || treatment == Treatment::last;
  if (!to_go || row.asked || row.refusals > 0 || row.pod.terminating) return {};
  if (now_ < ask_from(row)) {
    const bool waits = plan_.heeds_waits && row.pod.wait_up_to && now_ < plan_.started + *row.pod.wait_up_to;
    return waits ? "not asked yet, its annotation ferryman.dev/wait-up-to"
                 : "not asked yet, load balancers may still send new requests to it";
  }
  if (!ahead) return "not asked yet";
  return row.own ? "our own, goes when no other is left" : "not asked yet, pods of an earlier wave are left";
}

std::optional<std::chrono::seconds> Schedule::grace_for(const PodRow& row, Move move) const {
  using std::chrono::seconds;
  if (move == Move::force) return seconds{plan_.off || policy_.drain.force_grace_zero ? 0 : 1};
  if (row.unreachable) return seconds{1};
  const auto left = std::chrono::duration_cast<seconds>(plan_.deadline - policy_.margin - now_);
  const bool fits = now_ < plan_.delete_from || plan_.budgets_hold || grace_of(row) <= left;
  if (move == Move::evict && fits)
    return grace_of(row) == row.pod.grace ? std::nullopt : std::optional(grace_of(row));
  return std::clamp(grace_of(row), seconds{1}, std::max(left, seconds{1}));
}

SteadyTime Schedule::next_look(const PodRow& row) const {
  SteadyTime next = plan_.deadline;
  const std::array turns = {row.next_attempt, ask_from(row), remove_from(row), latest_start(row),
                            plan_.force_from};
  for (const SteadyTime turn : turns) {
    if (turn > now_) next = std::min(next, turn);
  }
  return next;
}

Duration budget_back_off(int refusals, Random& random) {
  constexpr int doublings = 5;
  constexpr double spread = 0.2;
  return random.jittered(std::chrono::seconds{1} * (1 << std::clamp(refusals - 1, 0, doublings)), spread);
}

}  // namespace ferryman::termination::drain
