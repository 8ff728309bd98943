// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/budget_room.h"

#include "termination/drain/blockers.h"

namespace ferryman::termination::drain {

bool BudgetRoom::take(const Pod& pod, const std::vector<Budget>& budgets) {
  const std::vector<const Budget*> found = covering(pod, budgets);
  if (found.size() != 1) return false;
  const Budget& budget = *found.front();
  Places& places = places_[budget.budget_namespace + "/" + budget.name];
  if (places.version != budget.resource_version) {
    places.version = budget.resource_version;
    places.left = budget.counted ? budget.allowed : 0;
  }
  if (places.left <= 0) return false;
  --places.left;
  return true;
}

}  // namespace ferryman::termination::drain
