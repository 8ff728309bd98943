// SPDX-License-Identifier: Apache-2.0
// FakeBudgetView: the budgets as a test last set them.
#pragma once

#include <vector>

#include "termination/ports/budgets.h"

namespace ferryman::test {

class FakeBudgetView final : public termination::BudgetView {
 public:
  explicit FakeBudgetView(Clock& clock) : changed_(clock) {}

  [[nodiscard]] const std::vector<termination::Budget>& budgets() const override { return budgets_; }
  Signal& changed() override { return changed_; }

  void update(std::vector<termination::Budget> budgets) {
    budgets_ = std::move(budgets);
    changed_.notify_all();
  }

 private:
  std::vector<termination::Budget> budgets_;
  Signal changed_;
};

}  // namespace ferryman::test
