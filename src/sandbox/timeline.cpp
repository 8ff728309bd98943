// SPDX-License-Identifier: Apache-2.0
#include "sandbox/timeline.h"

namespace ferryman::sandbox {

struct Timeline::Plan {
  explicit Plan(Clock& clock_in) : clock(clock_in), timer(clock_in) {}

  void run_due() {
    while (!actions.empty() && actions.begin()->first.first <= clock.now()) {
      const auto next = actions.extract(actions.begin());
      times.erase(next.key().second);
      next.mapped()();
    }
  }

  Clock& clock;
  Timer timer;
  Ticket last = 0;
  std::map<std::pair<SteadyTime, Ticket>, Action> actions;
  std::map<Ticket, SteadyTime> times;
  bool closed = false;
};

Timeline::Timeline(Clock& clock, Scope& scope) : clock_(clock), plan_(std::make_shared<Plan>(clock)) {
  scope.spawn("sandbox timeline", run(plan_));
}

Timeline::~Timeline() {
  plan_->closed = true;
  plan_->actions.clear();
  plan_->timer.wake();
}

Timeline::Ticket Timeline::at(SteadyTime time, Action action) {
  const Ticket ticket = ++plan_->last;
  plan_->actions.emplace(std::pair(time, ticket), std::move(action));
  plan_->times.emplace(ticket, time);
  plan_->timer.wake();
  return ticket;
}

void Timeline::cancel(Ticket ticket) {
  const auto found = plan_->times.find(ticket);
  if (found == plan_->times.end()) return;
  plan_->actions.erase(std::pair(found->second, ticket));
  plan_->times.erase(found);
}

Task<void> Timeline::run(std::shared_ptr<Plan> plan) {
  while (!plan->closed) {
    plan->run_due();
    if (plan->closed) break;
    const SteadyTime next = plan->actions.empty() ? SteadyTime::max() : plan->actions.begin()->first.first;
    (void)co_await plan->timer.wait_until(next);
  }
}

}  // namespace ferryman::sandbox
