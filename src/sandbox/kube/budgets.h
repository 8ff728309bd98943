// SPDX-License-Identifier: Apache-2.0
// Budgets: the disruption controller. Keeps each PodDisruptionBudget's status true, and spends a disruption
// per eviction.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sandbox/kube/cluster_state.h"

namespace ferryman::sandbox {

class Budgets {
 public:
  explicit Budgets(ClusterState& state);

  /// Counts anew where pods or budgets changed: allowed = ready pods that do not terminate − desired.
  void update_changed();

  /// The budgets of the pod's namespace whose selector takes it.
  [[nodiscard]] std::vector<ObjectPtr> covering(const json::value& pod) const;

  /// One disruption less, at once: the API server does not wait for the controller.
  void spend(const json::value& budget);

 private:
  void update(const json::value& budget);

  ClusterState& state_;
  std::set<std::string> changed_;  // namespaces
};

}  // namespace ferryman::sandbox
