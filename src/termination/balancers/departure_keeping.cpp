// SPDX-License-Identifier: Apache-2.0
// Departure: what an end that may come to nothing leaves registered, so that enough healthy targets are
// there.
#include <algorithm>

#include "termination/balancers/departure.h"

namespace ferryman::termination::balancers {

/// Those that have to go do not wait for the look that the others need; these have the next turn.
void Departure::prefer_forced(std::vector<Target>& targets) const {
  const auto may_stay = [&](const Target& target) {
    const auto row = rows_.find(target);
    return row != rows_.end() && keeps(row->second);
  };
  if (!std::all_of(targets.begin(), targets.end(), may_stay)) std::erase_if(targets, may_stay);
}

Task<void> Departure::take_turn() {
  const Turns::Turn turn(gate_.turns);
  std::vector<Target> targets = due(false);
  prefer_forced(targets);
  gathers_since_.reset();
  co_await keep_healthy(targets);
  // Some may have been forgotten meanwhile: their node stays.
  std::erase_if(targets, [&](const Target& target) { return row_of(target) == nullptr; });
  if (targets.empty()) co_return;
  each(targets, [&](const Row& row) { taken_out_.push_back(row.leaving.instance_id); });
  co_await deregister(std::move(targets));
  taken_out_.clear();
  gate_.changed.notify_all();
}

/// When the deadline is so near that the target could only just drain.
SteadyTime Departure::kept_until(const Row& row) const {
  constexpr Duration slack = std::chrono::seconds{15};
  const Duration needed = std::max(gate_.delays.known(pool_).value_or(Duration{0}),
                                   continued_service(pool_.type, context_.policy));
  return row.leaving.deadline - needed - slack;
}

bool Departure::keeps(const Row& row) const {
  if (!row.leaving.voluntary || context_.policy.min_healthy_targets == 0) return false;
  return context_.clock.now() < kept_until(row);
}

void Departure::keep_row(Row& row, Duration look_again, const std::string& why) const {
  row.kept = true;
  row.due = std::min(context_.clock.now() + look_again, kept_until(row));
  row.trouble = why;
}

/// Takes those out of `targets` that have to stay for now.
Task<void> Departure::keep_healthy(std::vector<Target>& targets) {
  const bool any = std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
    const Row* row = row_of(target);
    return row != nullptr && keeps(*row);
  });
  if (!any) co_return;
  // One that has to go may come meanwhile, so it must not take long.
  constexpr Duration longest = std::chrono::seconds{3};
  const auto seats =
      co_await gate_.calls.seats(pool_, context_.call_deadline().at_most(context_.clock, longest));
  // What cannot be read may not be read for ever: then those who wait are in no worse hands than before.
  const bool denied = !seats && gate_.rights.lacks(health_action(pool_), pool_.id, seats.error());
  if (seats) {
    keep(*seats, targets);
  } else if (!denied) {
    keep_all(targets, "not known how many healthy targets are there: " + seats.error().text);
  }
  gate_.changed.notify_all();
  rows_changed_.notify_all();  // how long they take to drain is wanted now
}

void Departure::keep_all(std::vector<Target>& targets, const std::string& why) {
  constexpr Duration soon = std::chrono::seconds{5};
  std::erase_if(targets, [&](const Target& target) {
    Row* row = row_of(target);
    if (row == nullptr || !keeps(*row)) return row == nullptr;
    keep_row(*row, soon, why);
    return true;
  });
}

/// Healthy ones that nobody takes out may be as many as the policy says; the others have to stay.
void Departure::keep(const std::vector<Seat>& seats, std::vector<Target>& targets) {
  constexpr Duration look_again = std::chrono::seconds{15};
  std::map<Target, bool> healthy;  // of those that nobody has taken out
  int staying = 0;
  for (const Seat& seat : seats) {
    const Row* row = row_of(seat.target);
    if (seat.standing == Standing::member) healthy[seat.target] = seat.healthy;
    const bool leaves = row != nullptr && is_open(row->stage) && !keeps(*row);
    if (seat.healthy && !leaves) ++staying;
  }
  std::erase_if(targets, [&](const Target& target) {
    Row* row = row_of(target);
    if (row == nullptr || !keeps(*row)) return row == nullptr;
    const auto seat = healthy.find(target);
    if (seat == healthy.end()) {
      row->by_others = row->calls == 0;  // else the answer to our own call was lost
      start(*row, Standing::unseen);
      return true;
    }
    const bool counts = seat->second;
    if (!counts || staying > context_.policy.min_healthy_targets) {
      staying -= counts ? 1 : 0;
      return false;
    }
    keep_row(*row, look_again, "registered until enough healthy targets are there without it");
    return true;
  });
}

}  // namespace ferryman::termination::balancers
