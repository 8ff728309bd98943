// SPDX-License-Identifier: Apache-2.0
// Plan: the deadlines of one termination, a pure function of its events, the hooks' facts and the policy.
#pragma once

#include <vector>

#include "base/time.h"
#include "termination/event.h"
#include "termination/policy.h"
#include "termination/ports/cloud.h"

namespace ferryman::termination {

/// One instant on both clocks, so that AWS's times can be waited for.
class Moment {
 public:
  Moment() = default;
  Moment(SteadyTime steady_in, WallTime wall_in) : steady(steady_in), wall(wall_in) {}

  [[nodiscard]] SteadyTime steady_of(WallTime time) const { return steady + (time - wall); }
  [[nodiscard]] WallTime wall_of(SteadyTime time) const { return wall + (time - steady); }

  SteadyTime steady;
  WallTime wall;
};

class Plan {
 public:
  Plan() = default;

  SteadyTime started;
  SteadyTime delete_from;     // refused evictions become deletes
  SteadyTime force_from;      // what still terminates is deleted with grace 1
  SteadyTime deadline;        // completion, whatever is left
  SteadyTime lost_at;         // Auto Scaling itself ends the wait: no completion is accepted any more
  bool voluntary = false;     // it may come to nothing
  bool immediate = false;     // it ends now: what a budget refused once is deleted
  bool budgets_hold = false;  // and no time is named for it: budgets are never overridden
  bool heeds_waits = false;   // pods that ask to be left alone for a while are
  bool off = false;           // the instance is off: no kubelet confirms anything
};

/// The instance ends now: what can still be done is done at once. State changes, and spot notices that
/// hibernate, which begins at once.
/// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
bool is_immediate(const Event& event);

/// The instance is off: what is left is done within two minutes from `since`.
void hasten(Plan& plan, SteadyTime since);

/// What a hook is taken for while DescribeLifecycleHooks cannot be asked: the shortest that AWS allows.
LifecycleHook assumed_hook(const LifecycleAction& action);

/// `hooks` need not name every action's hook; those it lacks are assumed.
Plan make_plan(const std::vector<Event>& events, const std::vector<LifecycleHook>& hooks,
               const Policy& policy, WallTime started, Moment now);

}  // namespace ferryman::termination
