// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/departures.h"

#include <algorithm>
#include <array>

#include "termination/ports/marks.h"

namespace ferryman::termination::balancers {

namespace {

constexpr std::size_t most_targets = 200;                    // of one call
constexpr Duration gather = std::chrono::milliseconds{200};  // so that nodes that end together share calls
constexpr Duration poll_slack =
    std::chrono::seconds{1};  // due this soon after one that is due: polled with it
constexpr Duration after_delay = std::chrono::milliseconds{500};  // asked at once, it would drain still
constexpr Duration idle_wait = std::chrono::hours{1};
constexpr int most_returns = 5;

/// 2, 3, 4.5, … at most 15 s.
Duration poll_pause(int polls) {
  constexpr std::array pauses = {std::chrono::milliseconds{2000}, std::chrono::milliseconds{3000},
                                 std::chrono::milliseconds{4500}, std::chrono::milliseconds{7000},
                                 std::chrono::milliseconds{10'000}};
  constexpr Duration longest = std::chrono::seconds{15};
  const auto n = static_cast<std::size_t>(std::max(polls, 0));
  return n < pauses.size() ? Duration(pauses.at(n)) : longest;
}

/// EC2 does not know it, or it is not registered (any more): nothing is sent to it.
bool names_unknown_target(const Error& error) {
  return error.code == "InvalidTarget" || error.code == "InvalidInstance";
}

/// Those of one instance, which stand together.
template <class Rows>
auto rows_of(Rows& rows, const InstanceId& instance_id) {
  const auto first = rows.lower_bound(Target(instance_id, 0));
  auto last = first;
  while (last != rows.end() && last->first.instance_id == instance_id) ++last;
  return std::pair(first, last);
}

}  // namespace

Duration continued_service(BalancerType type, const Policy& policy) {
  const bool quick = type == BalancerType::application || type == BalancerType::classic;
  return quick ? policy.continued_service : policy.continued_service_network;
}

Departures::Row Departures::first_row(Standing standing) const {
  Row row;
  row.due = context_.clock.now();
  if (standing == Standing::unseen) row.stage = Stage::unseen;
  if (standing == Standing::draining) {
    // Somebody else deregistered it, or we did before a restart: how long ago is not known.
    row.stage = Stage::leaving;
    row.left_at = row.due;
    row.calls = 1;
    row.due += poll_pause(0);
  }
  return row;
}

void Departures::leave(const std::vector<Registration>& registrations) {
  for (const Registration& one : registrations) {
    const auto [entry, first] = pools_.try_emplace(one.pool, context_.clock);
    const auto [row, is_new] = entry->second.rows.try_emplace(one.target);
    if (is_new) row->second = first_row(one.standing);
    if (first) loops_.spawn_loop("target group", [this, pool = one.pool] { return serve(pool); });
    entry->second.changed.notify_all();
  }
}

void Departures::forget(const InstanceId& instance_id) {
  for (auto& [pool, leaving] : pools_) {
    const auto [first, last] = rows_of(leaving.rows, instance_id);
    if (first == last) continue;
    leaving.rows.erase(first, last);
    leaving.changed.notify_all();
  }
}

Progress Departures::progress(const InstanceId& instance_id) const {
  Progress progress;
  for (const auto& [pool, leaving] : pools_) {
    const auto [first, last] = rows_of(leaving.rows, instance_id);
    for (auto entry = first; entry != last; ++entry) {
      const Row& row = entry->second;
      ++progress.targets;
      if (is_open(row.stage) && row.stage != Stage::leaving) progress.deregistered = false;
      if (is_open(row.stage)) progress.let_go = false;
      if (row.left_at != SteadyTime{})
        progress.quiet_at =
            std::max(progress.quiet_at, row.left_at + continued_service(pool.type, context_.policy));
    }
  }
  return progress;
}

std::vector<std::string> Departures::held(const InstanceId& instance_id) const {
  std::vector<std::string> held;
  for (const auto& [pool, leaving] : pools_) {
    const auto [first, last] = rows_of(leaving.rows, instance_id);
    for (auto entry = first; entry != last; ++entry) {
      const Row& row = entry->second;
      if (!is_open(row.stage)) continue;
      const bool draining = row.stage == Stage::leaving;
      held.push_back(words_for(pool) + ": " + (draining ? "draining" : "not deregistered") +
                     (row.trouble.empty() ? "" : ", " + row.trouble));
    }
  }
  return held;
}

Departures::Row* Departures::row_of(const Pool& pool, const Target& target) {
  const auto leaving = pools_.find(pool);
  if (leaving == pools_.end()) return nullptr;
  const auto row = leaving->second.rows.find(target);
  return row == leaving->second.rows.end() ? nullptr : &row->second;
}

/// Runs while targets leave the pool. Rows come and go while it waits, so it holds none across a call.
Task<void> Departures::serve(Pool pool) {
  co_await context_.clock.sleep_for(gather);
  for (;;) {
    const auto found = pools_.find(pool);
    if (found == pools_.end()) co_return;
    Leaving& leaving = found->second;
    if (leaving.rows.empty()) {
      pools_.erase(found);
      co_return;
    }
    if (auto targets = due(leaving, false); !targets.empty()) {
      co_await deregister(pool, std::move(targets));
    } else if (auto held = due(leaving, true); !held.empty()) {
      co_await poll(pool, std::move(held));
    } else {
      co_await leaving.changed.wait_until(next_due(leaving));
    }
  }
}

std::vector<Target> Departures::due(const Leaving& leaving, bool polled) const {
  const SteadyTime now = context_.clock.now();
  std::vector<Target> targets;
  bool any = false;
  for (const auto& [target, row] : leaving.rows) {
    const bool wanted = is_open(row.stage) && is_polled(row.stage) == polled;
    if (!wanted || row.due > now + poll_slack || targets.size() == most_targets) continue;
    any = any || row.due <= now;
    targets.push_back(target);
  }
  if (!any) targets.clear();
  return targets;
}

SteadyTime Departures::next_due(const Leaving& leaving) const {
  SteadyTime next = context_.clock.now() + idle_wait;
  for (const auto& [target, row] : leaving.rows) {
    if (is_open(row.stage)) next = std::min(next, row.due);
  }
  return next;
}

Task<void> Departures::deregister(Pool pool, std::vector<Target> targets) {
  const Result<void> answer = co_await calls_.deregister(pool, targets, context_.call_deadline());
  if (answer) {
    note_accepted(pool, targets);
    co_await learn_delay(pool);
  } else if (answer.error().fault == Fault::not_found) {
    settle(pool, targets, Stage::gone, answer.error().text);
  } else if (answer.error().fault == Fault::invalid && targets.size() > 1) {
    co_await deregister_halves(pool, std::move(targets));
  } else if (names_unknown_target(answer.error())) {
    settle(pool, targets, Stage::gone, answer.error().text);
  } else {
    note_refused(pool, targets, answer.error());
  }
}

/// A bad target spoils the call for all: it is split off.
Task<void> Departures::deregister_halves(Pool pool, std::vector<Target> targets) {
  const auto middle = targets.begin() + static_cast<std::ptrdiff_t>(targets.size() / 2);
  std::vector<Target> upper(middle, targets.end());
  targets.erase(middle, targets.end());
  co_await deregister(pool, std::move(targets));
  co_await deregister(pool, std::move(upper));
}

void Departures::note_accepted(const Pool& pool, const std::vector<Target>& targets) {
  const SteadyTime now = context_.clock.now();
  context_.metrics.targets_deregistered.add(targets.size());
  context_.log.info("targets.deregistered", {{"from", words_for(pool)}, {"targets", targets.size()}});
  for (const Target& target : targets) {
    Row* row = row_of(pool, target);
    if (row == nullptr) continue;
    row->stage = Stage::leaving;
    row->left_at = now;
    row->calls = 0;
    row->trouble.clear();
    row->due = now + poll_pause(0);
  }
  changed_.notify_all();
}

void Departures::note_refused(const Pool& pool, const std::vector<Target>& targets, const Error& error) {
  context_.metrics.deregistrations_failed.add();
  if (is_missing_right(error)) {
    context_.log.write(said_not_allowed_ ? Level::debug : Level::warn, "balancers.not_allowed",
                       {{"action", pool.classic() ? "elasticloadbalancing:DeregisterInstancesFromLoadBalancer"
                                                  : "elasticloadbalancing:DeregisterTargets"},
                        {"effect", "nodes only get the label that takes them out of load balancers"},
                        {"cure", "allow the action in our IAM policy"},
                        {"error", error}});
    said_not_allowed_ = true;
    settle(pool, targets, Stage::given_up, error.text);
    return;
  }
  int tries = 0;
  for (const Target& target : targets) {
    if (Row* row = row_of(pool, target)) tries = std::max(tries, ++row->calls);
  }
  const Duration pause = std::max<Duration>(patient_back_off(tries, context_.random), error.retry_after);
  for (const Target& target : targets) {
    Row* row = row_of(pool, target);
    if (row == nullptr) continue;
    row->due = context_.clock.now() + pause;
    row->trouble = error.text;
  }
  context_.log.warn(
      "targets.not_deregistered",
      {{"from", words_for(pool)}, {"targets", targets.size()}, {"error", error}, {"retry_in", pause}});
  changed_.notify_all();
}

/// Asked once per pool; without it the first look comes soon.
Task<void> Departures::learn_delay(Pool pool) {
  const auto known = pools_.find(pool);
  if (known == pools_.end()) co_return;
  if (!known->second.delay) {
    const auto delay = co_await calls_.delay(pool, context_.call_deadline());
    if (!delay) {
      context_.log.debug("delay.unknown", {{"of", words_for(pool)}, {"error", delay.error()}});
      co_return;
    }
    const auto still = pools_.find(pool);
    if (still == pools_.end()) co_return;
    still->second.delay = *delay;
  }
  Leaving& leaving = pools_.at(pool);
  for (auto& [target, row] : leaving.rows) {
    if (row.stage == Stage::leaving && row.calls == 0)
      row.due = std::max(row.due, row.left_at + leaving.delay.value_or(Duration{0}) + after_delay);
  }
}

Task<void> Departures::poll(Pool pool, std::vector<Target> targets) {
  const auto answer = co_await calls_.standings(pool, targets, context_.call_deadline());
  if (!answer && answer.error().fault == Fault::not_found) {
    settle(pool, targets, Stage::gone, answer.error().text);
  } else if (!answer) {
    note_unseen(pool, targets, answer.error());
  } else {
    for (const Registration& one : *answer) note_standing(pool, one.target, one.standing);
    changed_.notify_all();
  }
}

void Departures::note_standing(const Pool& pool, const Target& target, Standing standing) {
  Row* row = row_of(pool, target);
  if (row == nullptr || !is_polled(row->stage)) return;
  const bool first_look = row->stage == Stage::unseen;
  row->trouble.clear();
  if (standing == Standing::gone) {
    row->stage = Stage::gone;
  } else if (first_look) {
    *row = first_row(standing);
  } else if (standing == Standing::draining) {
    row->due = context_.clock.now() + poll_pause(++row->calls);
  } else {
    came_back(pool, target, *row);
  }
}

/// Somebody registers what we deregister: a controller that does not heed the label, or Auto Scaling.
void Departures::came_back(const Pool& pool, const Target& target, Row& row) {
  context_.metrics.targets_came_back.add();
  if (++row.returns > most_returns) {
    row.stage = Stage::given_up;
    context_.log.error("target.keeps_coming_back",
                       {{"instance", target.instance_id},
                        {"to", words_for(pool)},
                        {"times", row.returns},
                        {"cure", "find who registers it: a controller that ignores the label " +
                                     std::string(marks::exclude_label)}});
    return;
  }
  context_.log.warn("target.came_back",
                    {{"instance", target.instance_id}, {"to", words_for(pool)}, {"times", row.returns}});
  row.stage = Stage::to_deregister;
  row.calls = 0;
  row.due = context_.clock.now();
}

void Departures::note_unseen(const Pool& pool, const std::vector<Target>& targets, const Error& error) {
  if (is_missing_right(error)) {
    settle(pool, targets, Stage::given_up, error.text);
    return;
  }
  const Row* known = row_of(pool, targets.front());
  const bool said_before = known != nullptr && known->trouble == error.text;
  context_.log.write(said_before ? Level::debug : Level::warn, "targets.not_seen",
                     {{"in", words_for(pool)}, {"error", error}});
  for (const Target& target : targets) {
    Row* row = row_of(pool, target);
    if (row == nullptr) continue;
    row->trouble = error.text;
    row->due = context_.clock.now() + std::max<Duration>(poll_pause(++row->calls), error.retry_after);
  }
}

void Departures::settle(const Pool& pool, const std::vector<Target>& targets, Stage stage,
                        const std::string& why) {
  for (const Target& target : targets) {
    Row* row = row_of(pool, target);
    if (row == nullptr) continue;
    row->stage = stage;
    row->trouble = why;
    context_.log.debug("target.settled",
                       {{"instance", target.instance_id}, {"in", words_for(pool)}, {"why", why}});
  }
  changed_.notify_all();
}

}  // namespace ferryman::termination::balancers
