// SPDX-License-Identifier: Apache-2.0
#include "termination/budget_watch.h"

#include "base/turn.h"

namespace ferryman::termination {

Task<std::shared_ptr<BudgetView>> BudgetWatch::hold(Deadline deadline) {
  while (asking_ && !deadline.passed(context_.clock)) co_await answered_.wait_until(deadline.at());
  auto known = view_.lock();
  if (known != nullptr || asking_ || context_.clock.now() < ask_again_) co_return known;
  const Turn turn(asking_, answered_);
  auto view = co_await cluster_.view_budgets(deadline);
  if (!view) {
    note(view.error());
    co_return nullptr;
  }
  view_ = *view;
  said_ = false;
  co_return std::move(*view);
}

void BudgetWatch::note(const Error& error) {
  constexpr Duration soon = std::chrono::seconds{5};
  constexpr Duration seldom = std::chrono::minutes{10};
  ask_again_ = context_.clock.now() + (lacks_right(error) ? seldom : soon);
  context_.log.write(said_ ? Level::debug : Level::warn, "budgets.unknown",
                     {{"error", error},
                      {"effect",
                       "a pod that a budget refuses is asked again by time alone, and what its owner could "
                       "change is not named"},
                      {"cure", "allow list and watch on poddisruptionbudgets (policy)"}});
  said_ = true;
}

}  // namespace ferryman::termination
