// SPDX-License-Identifier: Apache-2.0
// BudgetCache: all PodDisruptionBudgets of the cluster, one list and one watch for all who look, and neither
// while nobody does.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kube/reflector.h"
#include "termination/ports/budgets.h"

namespace ferryman::kube {

class SharedBudgets final : public termination::BudgetView {
 public:
  explicit SharedBudgets(Clock& clock) : changed_(clock) {}

  [[nodiscard]] const std::vector<termination::Budget>& budgets() const override { return budgets_; }
  Signal& changed() override { return changed_; }

  void take(std::vector<termination::Budget> budgets, std::string version);
  /// An event that is no newer than the list is passed over.
  void apply(const WatchEvent& event);

  [[nodiscard]] const std::string& version() const { return version_; }
  bool stale = false;  // events may have been missed

 private:
  std::vector<termination::Budget> budgets_;  // by namespace and name
  std::string version_;                       // of the newest list
  Signal changed_;
};

class BudgetCache final : public ReflectorTarget {
 public:
  explicit BudgetCache(Context context);

  static Call call();

  /// The one view, listed if nobody else has it. Errors: denied.
  Task<Result<std::shared_ptr<termination::BudgetView>>> view(Deadline deadline);

  Task<Result<std::string>> list() override;
  bool apply(const WatchEvent& event) override;
  void lost() override;
  [[nodiscard]] bool wanted() const override { return !view_.expired(); }
  Signal& wanted_changed() override { return wanted_; }

 private:
  Task<Result<void>> fill(std::shared_ptr<SharedBudgets> view, Deadline deadline);

  Context context_;
  std::weak_ptr<SharedBudgets> view_;
  std::uint64_t newest_ = 0;  // of the events that the watch brought
  Signal wanted_;
};

}  // namespace ferryman::kube
