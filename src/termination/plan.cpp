// SPDX-License-Identifier: Apache-2.0
#include "termination/plan.h"

#include <algorithm>

namespace ferryman::termination {

namespace {

LifecycleHook hook_of(const LifecycleAction& action, const std::vector<LifecycleHook>& hooks) {
  const auto known = std::find_if(hooks.begin(), hooks.end(), [&](const LifecycleHook& hook) {
    return hook.group == action.group && hook.name == action.hook;
  });
  return known == hooks.end() ? assumed_hook(action) : *known;
}

constexpr Duration best_effort = std::chrono::minutes{2};  // EC2 lets a shutdown take about that

/// On AWS's clock.
class Times {
 public:
  WallTime deadline;
  WallTime lost_at;
  bool immediate = false;
};

void add_event(Times& times, const Event& event, const std::vector<LifecycleHook>& hooks,
               const Policy& policy, WallTime started) {
  if (event.action) {
    const WallTime over = event.event_time + hook_of(*event.action, hooks).global_timeout;
    times.deadline = std::min(times.deadline, over - policy.margin);
    times.lost_at = std::max(times.lost_at, over);
  }
  if (is_immediate(event)) {
    times.deadline = std::min(times.deadline, started + best_effort);
    times.immediate = true;
  } else if (event.deadline) {
    times.deadline = std::min(times.deadline, *event.deadline);
  }
}

/// Until the change begins there is time to be gentle, and none after it. One that has begun is as any end.
WallTime voluntary_deadline(const std::vector<Event>& events, WallTime started, WallTime usual) {
  WallTime earliest = WallTime::max();
  for (const Event& event : events) {
    if (event.change && event.change->starts > started) earliest = std::min(earliest, event.change->starts);
  }
  return earliest == WallTime::max() ? usual : std::max(earliest, started + best_effort);
}

Duration share_of(Duration whole, double share) {
  return Duration{static_cast<std::int64_t>(static_cast<double>(whole.count()) * share)};
}

}  // namespace

LifecycleHook assumed_hook(const LifecycleAction& action) {
  LifecycleHook hook;
  hook.group = action.group;
  hook.name = action.hook;
  hook.transition = action.transition;
  hook.heartbeat_timeout = std::chrono::seconds{30};
  hook.global_timeout = 100 * hook.heartbeat_timeout;
  return hook;
}

bool is_immediate(const Event& event) {
  return event.kind == EventKind::state_change || (event.deadline && *event.deadline <= event.event_time);
}

void hasten(Plan& plan, SteadyTime since) {
  plan.immediate = true;
  plan.off = true;
  plan.budgets_hold = false;
  plan.deadline = std::min(plan.deadline, since + best_effort);
  plan.delete_from = std::min(plan.delete_from, plan.deadline);
  plan.force_from = std::min(plan.force_from, plan.deadline - best_effort / 4);
}

Plan make_plan(const std::vector<Event>& events, const std::vector<LifecycleHook>& hooks,
               const Policy& policy, WallTime started, Moment now) {
  Plan plan;
  plan.voluntary = std::all_of(events.begin(), events.end(), [](const Event& e) { return e.voluntary(); });
  plan.budgets_hold = plan.voluntary && std::none_of(events.begin(), events.end(),
                                                     [](const Event& e) { return e.change.has_value(); });
  const WallTime usual = started + policy.max_termination_time;
  Times times;
  times.deadline = plan.voluntary ? voluntary_deadline(events, started, usual) : usual;
  times.lost_at = times.deadline + policy.margin;
  for (const Event& event : events) add_event(times, event, hooks, policy, started);

  constexpr Duration longest_force = std::chrono::seconds{30};
  const Duration total = std::max(times.deadline - started, Duration{0});
  const Duration usual_total = std::min(total, policy.max_termination_time);
  plan.started = now.steady_of(started);
  plan.deadline = now.steady_of(times.deadline);
  plan.lost_at = now.steady_of(times.lost_at);
  plan.delete_from = plan.deadline - usual_total + share_of(usual_total, policy.drain.delete_phase_at);
  plan.force_from = plan.deadline - std::min(longest_force, total / 10);
  if (policy.drain.force_phase_at > 0)
    plan.force_from = plan.deadline - usual_total + share_of(usual_total, policy.drain.force_phase_at);
  plan.immediate = times.immediate;
  plan.heeds_waits = std::all_of(events.begin(), events.end(), [&](const Event& event) {
    return policy.drain.heed_waits.at(static_cast<std::size_t>(event.kind));
  });
  if (plan.budgets_hold) plan.delete_from = plan.force_from = plan.deadline;
  return plan;
}

}  // namespace ferryman::termination
