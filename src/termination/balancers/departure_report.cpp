// SPDX-License-Identifier: Apache-2.0
// Departure: delays, those that are too long above all, and what it says about an instance.
#include <algorithm>

#include "base/time.h"
#include "termination/balancers/departure.h"

namespace ferryman::termination::balancers {

namespace {

constexpr Duration after_delay = std::chrono::milliseconds{500};  // asked at once, it would drain still

}  // namespace

bool Departure::wants_delay() const {
  if (gate_.delays.known(pool_)) return false;
  return std::any_of(rows_.begin(), rows_.end(), [](const auto& entry) {
    const Row& row = entry.second;
    return row.stage == Stage::leaving ? row.calls == 0 : row.stage == Stage::to_deregister && row.kept;
  });
}

/// The first look at what leaves is due when the delay can be over; without it, soon.
void Departure::heed_delay() {
  const auto delay = gate_.delays.known(pool_);
  if (!delay) return;
  for (auto& [target, row] : rows_) {
    if (row.stage != Stage::leaving || row.owned) continue;
    if (row.calls == 0) row.due = std::max(row.due, row.left_at + *delay + after_delay);
    if (outlasts(row)) name_delay(row);
  }
}

bool Departure::outlasts(const Row& row) const {
  const auto delay = gate_.delays.known(pool_);
  return delay && row.stage == Stage::leaving && !row.owned && row.leaving.deadline - *delay < row.left_at;
}

/// Told as soon as it is known, once for all that leave together: the wait can never succeed.
void Departure::name_delay(const Row& row) {
  if (std::exchange(named_delay_, true)) return;
  const Duration left = std::max(row.leaving.deadline - row.left_at, Duration{0});
  context_.log.warn("delay.too_long",
                    {{"of", words_for(pool_)},
                     {"instance", row.leaving.instance_id},
                     {"delay", gate_.delays.known(pool_).value_or(Duration{0})},
                     {"left", left},
                     {"cure", "lower its " + delay_setting(pool_) +
                                  " below the time that such an end leaves; until then connections that are "
                                  "open at the end are cut"}});
}

void Departure::add_progress(const InstanceId& instance_id, Progress& progress) const {
  each_of(instance_id, [&](const Row& row) {
    ++progress.targets;
    if (is_open(row.stage) && row.stage != Stage::leaving) progress.deregistered = false;
    if (is_open(row.stage)) progress.let_go = false;
    if (row.stage == Stage::to_deregister && row.kept) progress.kept = true;
    if (row.left_at == SteadyTime{}) return;
    progress.quiet_at =
        std::max(progress.quiet_at, row.left_at + continued_service(pool_.type, context_.policy));
  });
}

void Departure::add_held(const InstanceId& instance_id, std::vector<std::string>& held) const {
  each_of(instance_id, [&](const Row& row) {
    if (is_open(row.stage) || row.stage == Stage::lost)
      held.push_back(words_for(pool_) + ": " + words_of(row) +
                     (row.trouble.empty() ? "" : ", " + row.trouble));
  });
}

std::vector<Target> Departure::left_by_others(const InstanceId& instance_id) const {
  std::vector<Target> left;
  for (const auto& [target, row] : rows_) {
    if (row.leaving.instance_id == instance_id && row.by_others) left.push_back(target);
  }
  return left;
}

std::string Departure::words_of_draining(const Row& row) const {
  const auto delay = gate_.delays.known(pool_);
  if (!delay) return "draining";
  const SteadyTime over = row.left_at + *delay;
  const std::string time = format_rfc3339(context_.moment().wall_of(over));
  const bool late = over + poll_pause(row.calls) < context_.clock.now();
  return late ? "not seen to be let go, though its delay was over at " + time
              : "draining until " + time + " at most";
}

std::string Departure::words_of(const Row& row) const {
  if (row.stage == Stage::lost) return "registered again and again";
  if (row.owned)
    return "a pod's address is registered still; its TargetGroupBinding's controller takes it out";
  if (row.stage == Stage::to_deregister && row.kept)
    return "kept until " + format_rfc3339(context_.moment().wall_of(kept_until(row))) +
           " at most (--min-healthy-targets)";
  if (row.stage != Stage::leaving) return "not deregistered";
  if (!outlasts(row)) return words_of_draining(row);
  return "draining, for its " + delay_setting(pool_) + " is longer than the time that there was; lower it";
}

}  // namespace ferryman::termination::balancers
