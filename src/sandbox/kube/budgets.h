// SPDX-License-Identifier: Apache-2.0
// Budgets: the disruption controller. Keeps each PodDisruptionBudget's status true, and spends a disruption
// per eviction. Shares and maxUnavailable are of what the pods' controllers want (spec.replicas), not of what
// is there; a pod without a controller counts for neither.
#pragma once

#include <cstdint>
#include <optional>
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

  /// One disruption less, at once, for this pod: the API server does not wait for the controller.
  void spend(const json::value& budget, const json::value& pod);

 private:
  struct Count {
    std::int64_t healthy = 0;
    std::int64_t desired = 0;
    std::int64_t expected = 0;
    bool failed = false;  // a pod's controller has no scale that could be asked
  };

  void update(const json::value& budget);
  [[nodiscard]] Count count(const json::value& budget) const;
  /// How many pods the controllers of these want; empty when one of them cannot tell.
  [[nodiscard]] std::optional<std::int64_t> wanted_by(const std::vector<ObjectPtr>& pods) const;

  ClusterState& state_;
  std::set<std::string> changed_;  // namespaces
};

}  // namespace ferryman::sandbox
