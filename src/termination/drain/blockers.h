// SPDX-License-Identifier: Apache-2.0
// Blockers: which budgets keep a pod from being evicted, whether time alone can change that, and what the
// owner could do. https://kubernetes.io/docs/tasks/run-application/configure-pdb/
#pragma once

#include <string>
#include <vector>

#include "termination/ports/budgets.h"
#include "termination/ports/pods.h"

namespace ferryman::termination::drain {

class Blocker {
 public:
  Blocker() = default;

  std::string budgets;  // "shop/web" or "shop/web, shop/all"; empty: none is known
  bool never = false;   // as things stand no eviction can succeed, however long one waits
  std::string why;      // "it needs 1 of 1 pods healthy"
  std::string cure;     // what the owner could change; empty: wait
};

/// The budgets of the pod's namespace that take it.
std::vector<const Budget*> covering(const Pod& pod, const std::vector<Budget>& budgets);

/// `doubly`: the API server said that more than one budget takes it.
Blocker explain_block(const Pod& pod, const std::vector<Budget>& budgets, bool doubly);

/// One sentence: "budget shop/web: it needs 1 of 1 pods healthy, so it never allows one; raise the replicas
/// …".
std::string in_words(const Blocker& blocker);

}  // namespace ferryman::termination::drain
