// SPDX-License-Identifier: Apache-2.0
// BudgetWatch: the PodDisruptionBudgets for all who drain: one view, kept while anyone holds it.
#pragma once

#include <memory>

#include "termination/context.h"

namespace ferryman::termination {

class BudgetWatch {
 public:
  BudgetWatch(Context& context, Cluster& cluster)
      : context_(context), cluster_(cluster), answered_(context.clock) {}

  /// Null: budgets cannot be seen; they show by refusals alone. Without the right that is logged once, and
  /// asked again every ten minutes.
  Task<std::shared_ptr<BudgetView>> hold(Deadline deadline);

 private:
  void note(const Error& error);

  Context& context_;
  Cluster& cluster_;
  std::weak_ptr<BudgetView> view_;
  SteadyTime ask_again_{};
  bool asking_ = false;
  bool said_ = false;
  Signal answered_;
};

}  // namespace ferryman::termination
