// SPDX-License-Identifier: Apache-2.0
#include "sandbox/timeline.h"

namespace ferryman::sandbox {

Timeline::Ticket Timeline::at(SteadyTime time, Action action) {
  const Ticket ticket = ++last_;
  actions_.emplace(std::pair(time, ticket), std::move(action));
  times_.emplace(ticket, time);
  changed_.notify_all();
  return ticket;
}

void Timeline::cancel(Ticket ticket) {
  const auto found = times_.find(ticket);
  if (found == times_.end()) return;
  actions_.erase(std::pair(found->second, ticket));
  times_.erase(found);
}

void Timeline::run_due() {
  while (!actions_.empty() && actions_.begin()->first.first <= clock_.now()) {
    const auto next = actions_.extract(actions_.begin());
    times_.erase(next.key().second);
    next.mapped()();
  }
}

Task<void> Timeline::run() {
  for (;;) {
    run_due();
    const SteadyTime next = actions_.empty() ? SteadyTime::max() : actions_.begin()->first.first;
    (void)co_await changed_.wait_until(next);
  }
}

}  // namespace ferryman::sandbox
