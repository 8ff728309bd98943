// SPDX-License-Identifier: Apache-2.0
// Departure: what an end that may come to nothing leaves registered, so that enough healthy targets are
// there.
#include <algorithm>

#include "termination/balancers/departure.h"

namespace ferryman::termination::balancers {

/// Until the deadline is so near that the target could not drain any more.
bool Departure::keeps(const Row& row) const {
  constexpr Duration slack = std::chrono::seconds{10};
  if (!row.leaving.voluntary || context_.policy.min_healthy_targets == 0) return false;
  const Duration needed = std::max(gate_.delays.known(pool_).value_or(Duration{0}),
                                   continued_service(pool_.type, context_.policy));
  return context_.clock.now() + needed + slack < row.leaving.deadline;
}

/// Takes those out of `targets` that have to stay for now.
Task<void> Departure::keep_healthy(std::vector<Target>& targets) {
  const bool any = std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
    const Row* row = row_of(target);
    return row != nullptr && keeps(*row);
  });
  if (!any) co_return;
  const auto seats = co_await gate_.calls.seats(pool_, context_.call_deadline());
  // What cannot be read may not be read for ever: then those who wait are in no worse hands than before.
  const bool denied = !seats && gate_.rights.lacks(health_action(pool_), pool_.id, seats.error());
  if (seats) {
    keep(*seats, targets);
  } else if (!denied) {
    keep_all(targets, "not known how many healthy targets are there: " + seats.error().text);
  }
}

void Departure::keep_all(std::vector<Target>& targets, const std::string& why) {
  constexpr Duration soon = std::chrono::seconds{5};
  std::erase_if(targets, [&](const Target& target) {
    Row* row = row_of(target);
    if (row == nullptr || !keeps(*row)) return row == nullptr;
    row->kept = true;
    postpone(target, soon, why);
    return true;
  });
  gate_.changed.notify_all();
}

/// Healthy ones that nobody takes out may be as many as the policy says; the others have to stay.
void Departure::keep(const std::vector<Seat>& seats, std::vector<Target>& targets) {
  constexpr Duration look_again = std::chrono::seconds{15};
  std::map<Target, bool> healthy;
  int staying = 0;
  for (const Seat& seat : seats) {
    const Row* row = row_of(seat.target);
    healthy[seat.target] = seat.healthy;
    const bool leaves = row != nullptr && is_open(row->stage) && !keeps(*row);
    if (seat.healthy && !leaves) ++staying;
  }
  std::erase_if(targets, [&](const Target& target) {
    Row* row = row_of(target);
    if (row == nullptr || !keeps(*row)) return row == nullptr;
    const auto seat = healthy.find(target);
    const bool counts = seat != healthy.end() && seat->second;
    if (!counts || staying > context_.policy.min_healthy_targets) {
      staying -= counts ? 1 : 0;
      return false;
    }
    row->kept = true;
    postpone(target, look_again, "registered until enough healthy targets are there without it");
    return true;
  });
  gate_.changed.notify_all();
}

}  // namespace ferryman::termination::balancers
