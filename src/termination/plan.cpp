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

Plan make_plan(const std::vector<Event>& events, const std::vector<LifecycleHook>& hooks,
               const Policy& policy, WallTime started, Moment now) {
  WallTime deadline = started + policy.max_termination_time;
  WallTime lost_at = deadline + policy.margin;
  for (const Event& event : events) {
    if (!event.action) continue;
    const WallTime over = event.event_time + hook_of(*event.action, hooks).global_timeout;
    deadline = std::min(deadline, over - policy.margin);
    lost_at = std::max(lost_at, over);
  }
  constexpr Duration longest_force = std::chrono::seconds{30};
  const Duration total = std::max(deadline - started, Duration{0});
  const auto until_delete =
      Duration{static_cast<std::int64_t>(static_cast<double>(total.count()) * policy.delete_phase_at)};
  Plan plan;
  plan.started = now.steady_of(started);
  plan.deadline = now.steady_of(deadline);
  plan.lost_at = now.steady_of(lost_at);
  plan.delete_from = plan.started + until_delete;
  plan.force_from = plan.deadline - std::min(longest_force, total / 10);
  return plan;
}

}  // namespace ferryman::termination
