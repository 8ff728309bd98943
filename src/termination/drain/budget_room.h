// SPDX-License-Identifier: Apache-2.0
// BudgetRoom: who may try an eviction early because a budget has room again. A room for one pod wakes one of
// those that wait for it, on whatever node; the others keep their back-off.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "termination/ports/budgets.h"
#include "termination/ports/pods.h"

namespace ferryman::termination::drain {

class BudgetRoom {
 public:
  /// True: the one budget that takes the pod has a place, and it is the caller's now.
  bool take(const Pod& pod, const std::vector<Budget>& budgets);

 private:
  struct Places {
    std::string version;    // of the budget whose numbers these are
    std::int64_t left = 0;  // not handed out yet
  };

  std::map<std::string, Places> places_;  // by "namespace/name"
};

}  // namespace ferryman::termination::drain
