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
  return catalog_.known(action).value_or(assumed_hook(action)).heartbeat_timeout;
}

void Heartbeats::add(const LifecycleAction& action, WallTime since) {
  const Moment now = context_.moment();
  Row row;
  row.action = action;
  row.beaten = std::min(now.steady_of(since), now.steady);
  row.due = std::max(now.steady, row.beaten + part(timeout_of(action), share_of_timeout));
  if (table_.try_emplace({action.instance_id, action.hook}, std::move(row)).second) changed_.notify_all();
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
    co_await changed_.wait_until(full ? now + idle_wait : std::max(earliest_due(), now));
  }
}

Task<void> Heartbeats::beat(Key key) {
  const auto row = table_.find(key);
  if (row == table_.end()) {
    --in_flight_;
    co_return;
  }
  const LifecycleAction action = row->second.action;
  const SteadyTime sent = context_.clock.now();
  const Deadline deadline = context_.call_deadline().at_most(context_.clock, timeout_of(action) / 6);
  const Result<void> answer = co_await cloud_.heartbeat(action, deadline);
  bool waits = true;
  if (!answer && (answer.error().fault == Fault::invalid || answer.error().fault == Fault::not_found)) {
    waits = co_await still_waits(action);
  }
  settle(key, sent, answer, waits);
  if (!catalog_.known(action)) co_await learn_timeout(action);
}

/// While the hook is unknown the shortest timeout is assumed, which costs calls; so it is asked for again.
Task<void> Heartbeats::learn_timeout(LifecycleAction action) {
  (void)co_await catalog_.hooks(action.group, context_.call_deadline());
}

Task<bool> Heartbeats::still_waits(LifecycleAction action) {
  std::vector<InstanceId> ids{action.instance_id};
  const auto members = co_await cloud_.group_members(std::move(ids), context_.call_deadline());
  if (!members) co_return true;
  co_return std::any_of(members->begin(), members->end(), [&](const GroupMember& member) {
    return member.instance_id == action.instance_id && is_waiting(member.lifecycle_state);
  });
}

void Heartbeats::settle(const Key& key, SteadyTime sent, const Result<void>& answer, bool waits) {
  --in_flight_;
  changed_.notify_all();
  const auto found = table_.find(key);
  if (found == table_.end()) return;  // completed meanwhile
  Row& row = found->second;
  const Duration timeout = timeout_of(row.action);
  const Log log = context_.log.with({{"instance", row.action.instance_id}, {"hook", row.action.hook}});
  row.in_flight = false;
  if (answer) {
    context_.metrics.heartbeats.add();
    row.beaten = sent;
    row.failures = 0;
    row.due = sent + context_.random.jittered(part(timeout, share_of_timeout), spread);
    log.debug("heartbeat.sent", {{"next_in", row.due - context_.clock.now()}});
    return;
  }
  context_.metrics.heartbeats_failed.add();
  if (!waits) {
    row.over = true;
    log.warn("lifecycle_action.over", {{"reason", "Auto Scaling waits no more"}, {"error", answer.error()}});
    return;
  }
  const Duration pause = std::min(patient_back_off(++row.failures, context_.random), timeout / 10);
  row.due = context_.clock.now() + pause;
  log.warn("heartbeat.failed", {{"error", answer.error()},
                                {"left", row.beaten + timeout - context_.clock.now()},
                                {"retry_in", pause}});
}

}  // namespace ferryman::termination
