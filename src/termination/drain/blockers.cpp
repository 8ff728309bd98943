// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/blockers.h"

#include <fmt/format.h>

namespace ferryman::termination::drain {

namespace {

void explain_two(Blocker& blocker) {
  blocker.never = true;
  blocker.why = "the API server refuses every eviction of a pod under more than one budget";
  blocker.cure = "leave one of the budgets to select it";
}

bool is_unready(const Pod& pod) {
  return pod.unready_since.has_value() || pod.crash_looping;
}

constexpr std::string_view let_unready_go = "set unhealthyPodEvictionPolicy: AlwaysAllow on the budget";

/// Pods that serve nothing use the budget up.
/// https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy
void explain_unready(Blocker& blocker, const Pod& pod, const Budget& budget) {
  blocker.never = pod.crash_looping;
  blocker.why = fmt::format("{} of the {} pods that it needs are healthy, and this one is {}", budget.healthy,
                            budget.desired, pod.crash_looping ? "crash-looping" : "not ready itself");
  blocker.cure = std::string(let_unready_go) + ", or mend the pods";
}

void explain_one(Blocker& blocker, const Pod& pod, const Budget& budget) {
  if (!budget.counted) {
    blocker.why = "the disruption controller has not counted it yet";
  } else if (budget.expected > 0 && budget.desired >= budget.expected) {
    blocker.never = true;
    blocker.why = fmt::format("it needs {} of {} pods healthy and so never lets one go", budget.desired,
                              budget.expected);
    blocker.cure = budget.expected == 1 ? "run a second replica, or set maxUnavailable: 1"
                                        : "raise the replicas, or lower minAvailable";
    if (is_unready(pod) && !budget.unready_may_go) blocker.cure += "; or " + std::string(let_unready_go);
  } else if (is_unready(pod) && !budget.unready_may_go && budget.healthy < budget.desired) {
    explain_unready(blocker, pod, budget);
  } else {
    blocker.why = fmt::format("{} pods are healthy and {} must stay", budget.healthy, budget.desired);
  }
}

}  // namespace

std::vector<const Budget*> covering(const Pod& pod, const std::vector<Budget>& budgets) {
  std::vector<const Budget*> found;
  for (const Budget& budget : budgets) {
    if (budget.budget_namespace == pod.key.pod_namespace && budget.selector.matches(pod.labels))
      found.push_back(&budget);
  }
  return found;
}

Blocker explain_block(const Pod& pod, const std::vector<Budget>& budgets, bool doubly) {
  Blocker blocker;
  const std::vector<const Budget*> found = covering(pod, budgets);
  for (const Budget* budget : found) {
    if (!blocker.budgets.empty()) blocker.budgets += ", ";
    blocker.budgets += budget->budget_namespace + "/" + budget->name;
  }
  if (doubly || found.size() > 1) {
    explain_two(blocker);
  } else if (found.size() == 1) {
    explain_one(blocker, pod, *found.front());
  }
  return blocker;
}

std::string in_words(const Blocker& blocker) {
  std::string words = blocker.budgets.empty() ? std::string("a budget") : "budget " + blocker.budgets;
  if (blocker.budgets.find(',') != std::string::npos) words = "budgets " + blocker.budgets;
  if (!blocker.why.empty()) words += ": " + blocker.why;
  if (!blocker.cure.empty()) words += "; " + blocker.cure;
  return words;
}

}  // namespace ferryman::termination::drain
