// SPDX-License-Identifier: Apache-2.0
// PodDisruptionBudgets: how many pods may go at a time, as the disruption controller counts.
// https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/pod-disruption-budget-v1/
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/label_selector.h"

namespace ferryman::termination {

class Budget {
 public:
  Budget() = default;

  std::string budget_namespace;
  std::string name;
  std::string resource_version;  // another one: the numbers may have changed
  LabelSelector selector;        // an empty one takes every pod of the namespace
  bool counted = false;          // the controller has seen this generation: the numbers hold
  std::int64_t allowed = 0;      // status.disruptionsAllowed
  std::int64_t healthy = 0;      // status.currentHealthy
  std::int64_t desired = 0;      // status.desiredHealthy
  std::int64_t expected = 0;     // status.expectedPods
  bool unready_may_go = false;   // unhealthyPodEvictionPolicy: AlwaysAllow
};

class BudgetView {
 public:
  virtual ~BudgetView() = default;

  /// By namespace and name.
  [[nodiscard]] virtual const std::vector<Budget>& budgets() const = 0;
  /// Notified whenever `budgets` changes.
  virtual Signal& changed() = 0;
};

}  // namespace ferryman::termination
