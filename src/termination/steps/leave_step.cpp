// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/leave_step.h"

#include <algorithm>

namespace ferryman::termination::steps {

Deadline LeaveStep::leave_by() const {
  constexpr Duration shortest = std::chrono::seconds{5};
  constexpr Duration longest = std::chrono::seconds{60};
  const Duration left = Deadline(plan_.deadline).left(context_.clock);
  return Deadline::after(context_.clock, std::clamp(left / 10, shortest, longest));
}

/// The claim names what we take out before it is taken out, so that it can be put back.
Task<void> LeaveStep::begin(bool news) {
  constexpr Duration longest_write = std::chrono::seconds{5};
  if (news) (void)co_await claim_.persist(Deadline::after(context_.clock, longest_write));
  deregister_.leave(plan_);
}

Task<void> LeaveStep::leave() {
  const Deadline deadline = leave_by();
  constexpr Duration at_a_time = std::chrono::seconds{3};  // a long scan is left in parts, as they are read
  begun_ = true;
  const bool known = deregister_.find_known(claim_.claim());
  co_await begin(known);
  for (;;) {
    const bool news = co_await deregister_.find(claim_.claim(), deadline.at_most(context_.clock, at_a_time));
    co_await begin(news);
    if (deregister_.knows_all() || deregister_.called_off() || deadline.passed(context_.clock)) break;
    co_await context_.clock.sleep_until(std::min(deregister_.find_again_at(), deadline.at()));
  }
  co_await deregister_.wait(deadline);
}

void LeaveStep::replan() {
  if (begun_) deregister_.leave(plan_);
  deregister_.changed().notify_all();
}

Task<void> LeaveStep::wait_until_out_once() {
  while (!deregister_.is_out() && context_.clock.now() < plan_.deadline) {
    if (!deregister_.knows_all() && deregister_.find_again_at() <= context_.clock.now()) {
      co_await leave();
      continue;
    }
    SteadyTime wake = plan_.deadline;
    if (!deregister_.knows_all()) wake = std::min(wake, deregister_.find_again_at());
    if (deregister_.quiet_at() > context_.clock.now()) wake = std::min(wake, deregister_.quiet_at());
    co_await deregister_.changed().wait_until(wake);
  }
}

/// While targets drain the look costs no time; what it finds leaves like the others.
Task<void> LeaveStep::look_again() {
  constexpr Duration longest = std::chrono::seconds{30};
  for (;;) {
    const SteadyTime due = std::min(deregister_.look_at(), plan_.deadline);
    if (context_.clock.now() >= due) break;
    co_await deregister_.changed().wait_until(due);
  }
  if (context_.clock.now() >= plan_.deadline) co_return;
  const Deadline deadline = Deadline(plan_.deadline).at_most(context_.clock, longest);
  const bool news = co_await deregister_.look_again(claim_.claim(), deadline);
  co_await begin(news);
}

Task<void> LeaveStep::wait_until_out() {
  bool out = false;
  while (!out && context_.clock.now() < plan_.deadline) {
    if (!deregister_.looked_lately()) co_await look_again();
    co_await wait_until_out_once();
    out = deregister_.is_out() && deregister_.looked_lately();
  }
  deregister_.drop_others(claim_.claim());
}

}  // namespace ferryman::termination::steps
