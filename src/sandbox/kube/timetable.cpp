// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/timetable.h"

namespace ferryman::sandbox {

struct Timetable::Plan {
  explicit Plan(Clock& clock_in) : clock(clock_in), timer(clock_in) {}

  Clock& clock;
  Timer timer;
  std::map<std::pair<SteadyTime, std::uint64_t>, Action> actions;
  std::uint64_t next_ticket = 1;
  bool closed = false;
};

Timetable::Timetable(Clock& clock, Scope& scope) : plan_(std::make_shared<Plan>(clock)) {
  scope.spawn("kubernetes timetable", run(plan_));
}

Timetable::~Timetable() {
  plan_->closed = true;
  plan_->actions.clear();
  plan_->timer.wake();
}

void Timetable::after(Duration wait, Action action) {
  plan_->actions.emplace(std::pair{plan_->clock.now() + wait, plan_->next_ticket++}, std::move(action));
  plan_->timer.wake();
}

Task<void> Timetable::run(std::shared_ptr<Plan> plan) {
  constexpr Duration idle = std::chrono::hours{24 * 365};
  while (!plan->closed) {
    const auto first = plan->actions.begin();
    const bool due = first != plan->actions.end() && first->first.first <= plan->clock.now();
    if (due) {
      const Action action = std::move(first->second);
      plan->actions.erase(first);
      action();
      continue;
    }
    const SteadyTime next = first == plan->actions.end() ? plan->clock.now() + idle : first->first.first;
    co_await plan->timer.wait_until(next);
  }
}

}  // namespace ferryman::sandbox
