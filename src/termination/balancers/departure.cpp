// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/departure.h"

#include <algorithm>

#include "termination/ports/marks.h"

namespace ferryman::termination::balancers {

namespace {

constexpr std::size_t most_targets = 200;                    // of one call
constexpr Duration gather = std::chrono::milliseconds{200};  // so that nodes that end together share calls
constexpr Duration poll_slack = std::chrono::seconds{1};     // due so soon after one that is: polled with it
constexpr Duration after_delay = std::chrono::milliseconds{500};  // asked at once, it would drain still
constexpr Duration idle_wait = std::chrono::hours{1};
constexpr int most_returns = 5;

/// Those of one instance, which stand together.
template <class Rows>
auto rows_of(Rows& rows, const InstanceId& instance_id) {
  const auto first = rows.lower_bound(Target(instance_id, 0));
  auto last = first;
  while (last != rows.end() && last->first.instance_id == instance_id) ++last;
  return std::pair(first, last);
}

}  // namespace

Departure::Row Departure::first_row(Standing standing) const {
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

void Departure::add(const Target& target, Standing standing) {
  const auto [row, is_new] = rows_.try_emplace(target);
  if (is_new) row->second = first_row(standing);
  rows_changed_.notify_all();
}

void Departure::forget(const InstanceId& instance_id) {
  const auto [first, last] = rows_of(rows_, instance_id);
  if (first == last) return;
  rows_.erase(first, last);
  rows_changed_.notify_all();
}

void Departure::add_progress(const InstanceId& instance_id, Progress& progress) const {
  const auto [first, last] = rows_of(rows_, instance_id);
  for (auto entry = first; entry != last; ++entry) {
    const Row& row = entry->second;
    ++progress.targets;
    if (is_open(row.stage) && row.stage != Stage::leaving) progress.deregistered = false;
    if (is_open(row.stage)) progress.let_go = false;
    if (row.left_at == SteadyTime{}) continue;
    progress.quiet_at =
        std::max(progress.quiet_at, row.left_at + continued_service(pool_.type, context_.policy));
  }
}

void Departure::add_held(const InstanceId& instance_id, std::vector<std::string>& held) const {
  const auto [first, last] = rows_of(rows_, instance_id);
  for (auto entry = first; entry != last; ++entry) {
    const Row& row = entry->second;
    if (!is_open(row.stage) && row.stage != Stage::lost) continue;
    const char* how = row.stage == Stage::leaving ? "draining" : "not deregistered";
    held.push_back(words_for(pool_) + ": " + (row.stage == Stage::lost ? "registered again and again" : how) +
                   (row.trouble.empty() ? "" : ", " + row.trouble));
  }
}

bool Departure::look_again(const InstanceId& instance_id) {
  constexpr Duration fresh_for = std::chrono::seconds{5};
  bool any = false;
  const auto [first, last] = rows_of(rows_, instance_id);
  for (auto entry = first; entry != last; ++entry) {
    Row& row = entry->second;
    if (row.stage != Stage::gone || context_.clock.now() - row.due < fresh_for) continue;
    row.stage = Stage::unseen;
    row.due = context_.clock.now();
    any = true;
  }
  if (any) rows_changed_.notify_all();
  return any;
}

Departure::Row* Departure::row_of(const Target& target) {
  const auto row = rows_.find(target);
  return row == rows_.end() ? nullptr : &row->second;
}

/// Rows come and go while a call is under way, so none is held across it.
Task<void> Departure::run() {
  co_await context_.clock.sleep_for(gather);
  while (!rows_.empty()) {
    if (auto targets = due(false); !targets.empty()) {
      co_await deregister(std::move(targets));
    } else if (auto held = due(true); !held.empty()) {
      co_await poll(std::move(held));
    } else {
      co_await rows_changed_.wait_until(next_due());
    }
  }
  over_ = true;
}

std::vector<Target> Departure::due(bool polled) const {
  const SteadyTime now = context_.clock.now();
  std::vector<Target> targets;
  bool any = false;
  for (const auto& [target, row] : rows_) {
    const bool wanted = is_open(row.stage) && is_polled(row.stage) == polled;
    if (!wanted || row.due > now + poll_slack || targets.size() == most_targets) continue;
    any = any || row.due <= now;
    targets.push_back(target);
  }
  return any ? targets : std::vector<Target>();
}

SteadyTime Departure::next_due() const {
  SteadyTime next = context_.clock.now() + idle_wait;
  for (const auto& [target, row] : rows_) {
    if (is_open(row.stage)) next = std::min(next, row.due);
  }
  return next;
}

Task<void> Departure::deregister(std::vector<Target> targets) {
  if (!rights_.may(deregister_action(pool_), pool_.id)) {
    settle(targets, Stage::given_up, "not allowed");
    co_return;
  }
  const Result<void> answer = co_await calls_.deregister(pool_, targets, context_.call_deadline());
  if (answer) {
    note_accepted(targets);
    co_await learn_delay();
  } else if (answer.error().fault == Fault::not_found) {
    settle(targets, Stage::gone, answer.error().text);
  } else if (answer.error().fault == Fault::invalid && targets.size() > 1) {
    co_await deregister_halves(std::move(targets));
  } else if (names_unknown_target(answer.error())) {
    settle(targets, Stage::gone, answer.error().text);
  } else {
    note_refused(targets, answer.error());
  }
}

Task<void> Departure::deregister_halves(std::vector<Target> targets) {
  std::vector<Target> upper = take_upper_half(targets);
  co_await deregister(std::move(targets));
  co_await deregister(std::move(upper));
}

void Departure::note_accepted(const std::vector<Target>& targets) {
  const SteadyTime now = context_.clock.now();
  context_.metrics.targets_deregistered.add(targets.size());
  context_.log.info("targets.deregistered", {{"from", words_for(pool_)}, {"targets", targets.size()}});
  each(targets, [&](Row& row) {
    row.stage = Stage::leaving;
    row.left_at = now;
    row.calls = 0;
    row.trouble.clear();
    row.due = now + poll_pause(0);
  });
  changed_.notify_all();
}

void Departure::note_refused(const std::vector<Target>& targets, const Error& error) {
  context_.metrics.deregistrations_failed.add();
  if (rights_.lacks(deregister_action(pool_), pool_.id, error))
    return settle(targets, Stage::given_up, error.text);
  int tries = 0;
  each(targets, [&](Row& row) { tries = std::max(tries, ++row.calls); });
  const Duration pause = pause_after(error, patient_back_off(tries, context_.random));
  each(targets, [&](Row& row) {
    row.due = context_.clock.now() + pause;
    row.trouble = error.text;
  });
  // One refusal is ordinary, our own rate limit among them; the second is told, later ones only repeat it.
  context_.log.write(
      tries == 2 ? Level::warn : Level::debug, "targets.not_deregistered",
      {{"from", words_for(pool_)}, {"targets", targets.size()}, {"error", error}, {"retry_in", pause}});
  changed_.notify_all();
}

/// Asked once; without it the first look comes soon.
Task<void> Departure::learn_delay() {
  if (!delay_) {
    const auto delay = co_await calls_.delay(pool_, context_.call_deadline());
    if (!delay) {
      (void)rights_.lacks(
          pool_.classic() ? "DescribeLoadBalancerAttributes" : "DescribeTargetGroupAttributes", {},
          delay.error());
      context_.log.debug("delay.unknown", {{"of", words_for(pool_)}, {"error", delay.error()}});
      co_return;
    }
    delay_ = *delay;
  }
  for (auto& [target, row] : rows_) {
    if (row.stage == Stage::leaving && row.calls == 0)
      row.due = std::max(row.due, row.left_at + delay_.value_or(Duration{0}) + after_delay);
  }
}

Task<void> Departure::poll(std::vector<Target> targets) {
  // An answer may leave out what was asked for.
  each(targets, [&](Row& row) { row.due = context_.clock.now() + poll_pause(row.calls); });
  const auto answer = co_await calls_.standings(pool_, targets, context_.call_deadline());
  if (!answer && answer.error().fault == Fault::not_found) {
    settle(targets, Stage::gone, answer.error().text);
  } else if (!answer) {
    note_unseen(targets, answer.error());
  } else {
    for (const Registration& one : *answer) note_standing(one.target, one.standing);
    changed_.notify_all();
  }
}

void Departure::note_standing(const Target& target, Standing standing) {
  Row* row = row_of(target);
  if (row == nullptr || !is_polled(row->stage)) return;
  const bool first_look = row->stage == Stage::unseen;
  row->trouble.clear();
  if (standing == Standing::gone) {
    row->stage = Stage::gone;
    row->due = context_.clock.now();
  } else if (first_look) {
    *row = first_row(standing);
  } else if (standing == Standing::draining) {
    row->due = context_.clock.now() + poll_pause(++row->calls);
  } else {
    came_back(target, *row);
  }
}

/// Somebody registers what we deregister: a controller that does not heed the label, or Auto Scaling.
void Departure::came_back(const Target& target, Row& row) {
  context_.metrics.targets_came_back.add();
  if (++row.returns > most_returns) {
    row.stage = Stage::lost;
    context_.log.error("target.keeps_coming_back",
                       {{"instance", target.instance_id},
                        {"to", words_for(pool_)},
                        {"times", row.returns},
                        {"cure", "find who registers it: a controller that ignores the label " +
                                     std::string(marks::exclude_label)}});
    return;
  }
  context_.log.warn("target.came_back",
                    {{"instance", target.instance_id}, {"to", words_for(pool_)}, {"times", row.returns}});
  row.stage = Stage::to_deregister;
  row.calls = 0;
  row.due = context_.clock.now();
}

void Departure::note_unseen(const std::vector<Target>& targets, const Error& error) {
  if (rights_.lacks(health_action(pool_), pool_.id, error))
    return settle(targets, Stage::given_up, error.text);
  const Row* known = row_of(targets.front());
  const bool said_before = known != nullptr && known->trouble == error.text;
  context_.log.write(said_before ? Level::debug : Level::warn, "targets.not_seen",
                     {{"in", words_for(pool_)}, {"error", error}});
  for (const Target& target : targets) {
    Row* row = row_of(target);
    if (row == nullptr) continue;
    row->trouble = error.text;
    row->due = context_.clock.now() + pause_after(error, poll_pause(++row->calls));
  }
}

void Departure::settle(const std::vector<Target>& targets, Stage stage, const std::string& why) {
  for (const Target& target : targets) {
    Row* row = row_of(target);
    if (row == nullptr) continue;
    row->stage = stage;
    row->due = context_.clock.now();
    row->trouble = why;
    context_.log.debug("target.settled",
                       {{"instance", target.instance_id}, {"in", words_for(pool_)}, {"why", why}});
  }
  changed_.notify_all();
}

}  // namespace ferryman::termination::balancers
