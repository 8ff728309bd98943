// SPDX-License-Identifier: Apache-2.0
#include "termination/heartbeat.h"

#include <algorithm>

namespace ferryman::termination {

namespace {

constexpr double share_of_timeout = 0.4;
constexpr double spread = 0.1;
constexpr std::size_t most_in_flight = 32;
constexpr Duration idle_wait = std::chrono::hours{1};

Duration part(Duration whole, double share) {
  return Duration{static_cast<std::int64_t>(static_cast<double>(whole.count()) * share)};
}

}  // namespace

bool is_waiting(std::string_view lifecycle_state) {
  return lifecycle_state.ends_with(":Wait");
}

Heartbeats::Heartbeats(Context& context, Cloud& cloud, HookCatalog& catalog, Scope& calls)
    : context_(context), cloud_(cloud), catalog_(catalog), calls_(calls), changed_(context.clock) {}

Duration Heartbeats::timeout_of(const LifecycleAction& action) const {
  // Whatever an answer says: no call more often than a few times a second.
  constexpr Duration shortest = std::chrono::seconds{1};
  return std::max<Duration>(catalog_.known(action).value_or(assumed_hook(action)).heartbeat_timeout,
                            shortest);
}

void Heartbeats::add(const LifecycleAction& action, WallTime since) {
  const Moment now = context_.moment();
  Row row;
  row.action = action;
  row.beaten = std::min(now.steady_of(since), now.steady);
  row.due = std::max(now.steady, row.beaten + part(timeout_of(action), share_of_timeout));
  if (table_.try_emplace({action.instance_id, action.hook}, std::move(row)).second) changed_.notify_all();
}

void Heartbeats::hooks_known() {
  for (auto& [key, row] : table_) {
    if (row.in_flight || row.over || row.beaten_by_us || row.failures > 0 || !catalog_.known(row.action))
      continue;
    const Duration wait = context_.random.jittered(part(timeout_of(row.action), share_of_timeout), spread);
    row.due = std::max(context_.clock.now(), row.beaten + wait);
  }
  changed_.notify_all();
}

void Heartbeats::remove(const LifecycleAction& action) {
  table_.erase({action.instance_id, action.hook});
}

bool Heartbeats::over(const LifecycleAction& action) const {
  const auto row = table_.find({action.instance_id, action.hook});
  return row != table_.end() && row->second.over;
}

Heartbeats::Row* Heartbeats::most_urgent(SteadyTime now) {
  Row* urgent = nullptr;
  SteadyTime expiry = SteadyTime::max();
  for (auto& [key, row] : table_) {
    if (row.in_flight || row.over || row.due > now) continue;
    const SteadyTime expires = row.beaten + timeout_of(row.action);
    if (expires < expiry) {
      urgent = &row;
      expiry = expires;
    }
  }
  return urgent;
}

SteadyTime Heartbeats::earliest_due() const {
  SteadyTime earliest = context_.clock.now() + idle_wait;
  for (const auto& [key, row] : table_) {
    if (!row.in_flight && !row.over) earliest = std::min(earliest, row.due);
  }
  return earliest;
}

Task<void> Heartbeats::run() {
  for (;;) {
    const SteadyTime now = context_.clock.now();
    while (in_flight_ < most_in_flight) {
      Row* row = most_urgent(now);
      if (row == nullptr) break;
      row->in_flight = true;
      ++in_flight_;
      calls_.spawn("heartbeat", beat({row->action.instance_id, row->action.hook}));
    }
    // With all calls in flight the end of one of them wakes us.
    const bool full = in_flight_ >= most_in_flight;
    const SteadyTime due = full ? now + idle_wait : std::max(earliest_due(), now);
    co_await changed_.wait_until(due);
  }
}

/// One call for one row. Whichever way it ends, the row is free again and the loop looks at it.
class Heartbeats::InFlight {
 public:
  InFlight(Heartbeats& heartbeats, const Key& key) : heartbeats_(heartbeats), key_(key) {}
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  ~InFlight() {
    if (!open_) return;
    if (Row* row = end()) heartbeats_.retry(*row, Error(Fault::unexpected, "the call broke off"));
  }

  /// Null when the row was removed meanwhile.
  Row* end() {
    open_ = false;
    --heartbeats_.in_flight_;
    heartbeats_.changed_.notify_all();
    const auto row = heartbeats_.table_.find(key_);
    if (row == heartbeats_.table_.end()) return nullptr;
    row->second.in_flight = false;
    return &row->second;
  }

 private:
  Heartbeats& heartbeats_;
  const Key& key_;
  bool open_ = true;
};

Task<void> Heartbeats::beat(Key key) {
  InFlight call(*this, key);
  const auto found = table_.find(key);
  if (found == table_.end()) co_return;
  const LifecycleAction action = found->second.action;
  const SteadyTime sent = context_.clock.now();
  const Deadline deadline = context_.call_deadline().at_most(context_.clock, timeout_of(action) / 6);
  const Result<void> answer = co_await cloud_.heartbeat(action, deadline);
  bool waits = true;
  if (!answer && (answer.error().fault == Fault::invalid || answer.error().fault == Fault::not_found)) {
    waits = co_await still_waits(action);
  }
  if (Row* row = call.end()) settle(*row, sent, answer, waits);
  if (!catalog_.known(action)) co_await learn_timeout(action);
}

/// While the hook is unknown the shortest timeout is assumed, which costs calls; so it is asked for again.
Task<void> Heartbeats::learn_timeout(LifecycleAction action) {
  (void)co_await catalog_.hooks(action.group, context_.call_deadline());
}

/// Refused without a token, the call went by instance and hook: a wait that is left is another hook's.
Task<bool> Heartbeats::still_waits(LifecycleAction action) {
  std::vector<InstanceId> ids{action.instance_id};
  const auto members = co_await cloud_.group_members(std::move(ids), context_.call_deadline());
  if (!members) co_return true;
  co_return !action.token.empty() &&
      std::any_of(members->begin(), members->end(), [&](const GroupMember& member) {
        return member.instance_id == action.instance_id && is_waiting(member.lifecycle_state);
      });
}

void Heartbeats::settle(Row& row, SteadyTime sent, const Result<void>& answer, bool waits) {
  const Log log = context_.log.with({{"instance", row.action.instance_id}, {"hook", row.action.hook}});
  if (answer) {
    context_.metrics.heartbeats.add();
    row.beaten = sent;
    row.beaten_by_us = true;
    row.failures = 0;
    row.due = sent + context_.random.jittered(part(timeout_of(row.action), share_of_timeout), spread);
    log.debug("heartbeat.sent", {{"next_in", row.due - context_.clock.now()}});
    return;
  }
  if (waits) {
    // Perhaps it is the token that is wrong.
    if (answer.error().fault == Fault::invalid) row.action.token.clear();
    retry(row, answer.error());
    return;
  }
  context_.metrics.heartbeats_failed.add();
  row.over = true;
  log.warn("lifecycle_action.over", {{"reason", "Auto Scaling waits no more"}, {"error", answer.error()}});
}

void Heartbeats::retry(Row& row, const Error& error) {
  context_.metrics.heartbeats_failed.add();
  const Duration timeout = timeout_of(row.action);
  const Duration pause = std::min(patient_back_off(++row.failures, context_.random), timeout / 10);
  row.due = context_.clock.now() + pause;
  context_.log.warn("heartbeat.failed", {{"instance", row.action.instance_id},
                                         {"hook", row.action.hook},
                                         {"error", error},
                                         {"left", row.beaten + timeout - context_.clock.now()},
                                         {"retry_in", pause}});
}

}  // namespace ferryman::termination
