// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/departure.h"

#include <algorithm>

#include "termination/ports/marks.h"

namespace ferryman::termination::balancers {

namespace {

constexpr std::size_t most_targets = 200;  // of one call that changes something
// Nodes that end together share calls: those that were said to end are waited for, and a moment more.
constexpr Duration moment = std::chrono::seconds{1};
constexpr Duration longest_gathering = std::chrono::seconds{4};
constexpr Duration poll_slack = std::chrono::seconds{1};  // due so soon: polled with those that are
constexpr Duration idle_wait = std::chrono::hours{1};
constexpr int most_returns = 5;

}  // namespace

Departure::Departure(Gate& gate, Pool pool)
    : gate_(gate), context_(gate.context), pool_(std::move(pool)), rows_changed_(gate.context.clock) {}

void Departure::start(Row& row, Standing standing) const {
  row.stage = Stage::to_deregister;
  row.calls = 0;
  row.due = context_.clock.now();
  if (standing == Standing::unseen) row.stage = Stage::unseen;
  if (standing == Standing::draining || standing == Standing::owned) {
    // Somebody else deregistered it, or we did before a restart: how long ago is not known.
    row.stage = Stage::leaving;
    row.left_at = row.due;
    row.calls = 1;
    row.due += poll_pause(0);
  }
}

void Departure::add(const Leaving& leaving, const Registration& registration) {
  const Target& target = registration.target;
  const auto [entry, is_new] = rows_.try_emplace(target);
  Row& row = entry->second;
  row.leaving = leaving;
  if (is_new) {
    by_instance_[leaving.instance_id].push_back(target);
    row.owned = registration.standing == Standing::owned;
    row.by_others = !leaving.resumed && registration.standing != Standing::member;
    start(row, registration.standing);
  } else if (row.stage == Stage::gone && registration.standing == Standing::member &&
             row.due < registration.seen) {
    came_back(target, row);
  }
  if (is_new && row.stage == Stage::to_deregister) {
    gate_.last_added = context_.clock.now();
    if (!gathers_since_) gathers_since_ = gate_.last_added;
  }
  if (row.kept && !keeps(row)) row.due = context_.clock.now();
  rows_changed_.notify_all();
}

void Departure::forget(const InstanceId& instance_id) {
  const auto targets = by_instance_.find(instance_id);
  if (targets == by_instance_.end()) return;
  for (const Target& target : targets->second) rows_.erase(target);
  by_instance_.erase(targets);
  rows_changed_.notify_all();
}

bool Departure::takes_out(const InstanceId& instance_id) const {
  return std::find(taken_out_.begin(), taken_out_.end(), instance_id) != taken_out_.end();
}

Departure::Row* Departure::row_of(const Target& target) {
  const auto row = rows_.find(target);
  return row == rows_.end() ? nullptr : &row->second;
}

/// Rows come and go while a call is under way, so none is held across it.
Task<void> Departure::deregister_all() {
  while (!rows_.empty()) {
    if (due(false).empty()) {
      co_await rows_changed_.wait_until(next_due(false));
    } else if (gathered_at() > context_.clock.now()) {
      co_await gate_.came.wait_until(gathered_at());
    } else if (!gate_.turns.is_free()) {
      co_await gate_.turns.wait();
    } else {
      co_await take_turn();
    }
  }
  deregisters = false;
}

/// When everybody is there who is known to come, and nobody has come for a moment.
SteadyTime Departure::gathered_at() const {
  if (!gathers_since_) return SteadyTime::min();
  const SteadyTime longest = *gathers_since_ + longest_gathering;
  const bool more = !gate_.coming.empty() && gate_.newest_coming + longest_gathering > context_.clock.now();
  return more ? longest : std::min(longest, gate_.last_added + moment);
}

Task<void> Departure::watch_all() {
  while (!rows_.empty()) {
    if (wants_delay()) co_await gate_.delays.learn(pool_);
    heed_delay();
    if (auto targets = due(true); !targets.empty()) {
      co_await poll(std::move(targets));
    } else {
      co_await rows_changed_.wait_until(next_due(true));
    }
  }
  watches = false;
}

std::vector<Target> Departure::due(bool polled) const {
  const SteadyTime now = context_.clock.now();
  std::vector<Target> targets;
  if (next_due(polled) > now) return targets;
  for (const auto& [target, row] : rows_) {
    const bool wanted = is_open(row.stage) && is_polled(row.stage) == polled;
    // A group can be asked for all at once; a classic balancer cannot.
    const bool full = targets.size() == most_targets && (!polled || pool_.classic());
    if (wanted && !full && row.due <= now + poll_slack) targets.push_back(target);
  }
  return targets;
}

/// Targets that were deregistered one after the other are waited for a little, so that one look serves all.
SteadyTime Departure::next_due(bool polled) const {
  SteadyTime first = context_.clock.now() + idle_wait;
  bool leaving = false;
  for (const auto& [target, row] : rows_) {
    if (!is_open(row.stage) || is_polled(row.stage) != polled || row.due > first) continue;
    first = row.due;
    leaving = row.stage == Stage::leaving;
  }
  if (!leaving) return first;
  const SteadyTime last = first + patience_of(gate_.delays.known(pool_).value_or(Duration{0}));
  SteadyTime shared = first;
  for (const auto& [target, row] : rows_) {
    if (row.stage == Stage::leaving && row.due <= last) shared = std::max(shared, row.due);
  }
  return shared;
}

Task<void> Departure::deregister(std::vector<Target> targets) {
  if (!gate_.rights.may(deregister_action(pool_), pool_.id)) {
    settle(targets, Stage::given_up, "not allowed");
    co_return;
  }
  const Result<void> answer = co_await gate_.calls.deregister(pool_, targets, context_.call_deadline());
  if (answer) {
    gate_.rights.has(deregister_action(pool_), pool_.id);
    note_accepted(targets);
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
    row.kept = row.by_others = false;
    row.trouble.clear();
    row.due = now + poll_pause(0);
  });
  rows_changed_.notify_all();
  gate_.changed.notify_all();
}

void Departure::note_refused(const std::vector<Target>& targets, const Error& error) {
  context_.metrics.deregistrations_failed.add();
  if (gate_.rights.lacks(deregister_action(pool_), pool_.id, error))
    return settle(targets, Stage::given_up, error.text);
  int tries = 0;
  each(targets, [&](Row& row) { tries = std::max(tries, ++row.calls); });
  const Duration pause = pause_after(error, patient_back_off(tries, context_.random));
  for (const Target& target : targets) postpone(target, pause, error.text);
  // One refusal is ordinary, our own rate limit among them; the second is told, later ones only repeat it.
  context_.log.write(
      tries == 2 ? Level::warn : Level::debug, "targets.not_deregistered",
      {{"from", words_for(pool_)}, {"targets", targets.size()}, {"error", error}, {"retry_in", pause}});
  gate_.changed.notify_all();
}

void Departure::postpone(const Target& target, Duration pause, std::string why) {
  Row* row = row_of(target);
  if (row == nullptr) return;
  row->due = context_.clock.now() + pause;
  row->trouble = std::move(why);
}

Task<void> Departure::poll(std::vector<Target> targets) {
  // An answer may come late.
  each(targets, [&](Row& row) { row.due = context_.clock.now() + poll_pause(row.calls); });
  const auto answer = co_await gate_.calls.standings(pool_, targets, context_.call_deadline());
  if (!answer && answer.error().fault == Fault::not_found) {
    settle(targets, Stage::gone, answer.error().text);
  } else if (!answer) {
    note_unseen(targets, answer.error());
  } else {
    gate_.rights.has(health_action(pool_), pool_.id);
    for (const Seat& one : *answer) note_standing(one.target, one.standing);
    gate_.changed.notify_all();
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
    start(*row, standing);
    rows_changed_.notify_all();
  } else if (standing == Standing::draining || row->owned) {
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
                       {{"instance", row.leaving.instance_id},
                        {"target", target.instance_id},
                        {"to", words_for(pool_)},
                        {"times", row.returns},
                        {"cure", "find who registers it: a controller that ignores the label " +
                                     std::string(marks::exclude_label)}});
    return;
  }
  context_.log.warn("target.came_back",
                    {{"instance", target.instance_id}, {"to", words_for(pool_)}, {"times", row.returns}});
  start(row, Standing::member);
  rows_changed_.notify_all();
}

void Departure::note_unseen(const std::vector<Target>& targets, const Error& error) {
  if (gate_.rights.lacks(health_action(pool_), pool_.id, error))
    return settle(targets, Stage::given_up, error.text);
  const Row* known = row_of(targets.front());
  const bool said_before = known != nullptr && !known->trouble.empty();  // its words may change each time
  context_.log.write(said_before ? Level::debug : Level::warn, "targets.not_seen",
                     {{"in", words_for(pool_)}, {"error", error}});
  for (const Target& target : targets) {
    Row* row = row_of(target);
    if (row != nullptr) postpone(target, pause_after(error, poll_pause(++row->calls)), error.text);
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
  gate_.changed.notify_all();
}

}  // namespace ferryman::termination::balancers
