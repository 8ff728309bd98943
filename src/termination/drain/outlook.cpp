// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/outlook.h"

#include "termination/drain/blockers.h"
#include "termination/drain/table.h"

namespace ferryman::termination::drain {

namespace {

/// As the API server decides: a pod that is not Ready may go though its budget is used up.
bool lets_go(const Budget& budget, const Pod& pod) {
  if (budget.counted && budget.allowed > 0) return true;
  return pod.unready_since &&
         (budget.unready_may_go || (budget.desired > 0 && budget.healthy >= budget.desired));
}

/// Empty: an eviction would be accepted now, or none is asked for.
std::string blocked(const PodOutlook& outlook, const BudgetView* budgets) {
  if (budgets == nullptr || outlook.verdict.treatment != Treatment::evict || outlook.pod.phase == "Pending")
    return {};
  const auto covers = covering(outlook.pod, budgets->budgets());
  if (covers.empty() || (covers.size() == 1 && lets_go(*covers.front(), outlook.pod))) return {};
  return in_words(explain_block(outlook.pod, budgets->budgets(), covers.size() > 1));
}

PodOutlook outlook_of(const Pod& pod, const Policy& policy, Judging judging) {
  PodOutlook outlook;
  outlook.pod = pod;
  outlook.verdict = judge(pod, judging);
  judging.voluntary = true;
  outlook.if_voluntary = judge(pod, judging);
  outlook.grace = given_grace(pod, policy.drain);
  outlook.own = is_own_pod(pod, policy);
  const Treatment treatment = outlook.verdict.treatment;
  const bool in_waves = treatment == Treatment::evict || treatment == Treatment::remove;
  if (in_waves && !outlook.own) outlook.wave = wave_of(pod, outlook.verdict, policy);
  if (std::string wrong = misread_wave(pod, policy); !wrong.empty()) outlook.pod.misread = std::move(wrong);
  return outlook;
}

}  // namespace

Task<Result<NodeOutlook>> look_ahead(Cluster& cluster, const Policy& policy, Clock& clock, std::string node,
                                     Deadline deadline) {
  NodeOutlook outlook;
  outlook.node = node;
  FERRYMAN_TRY(seen, co_await cluster.read_node(node, deadline));
  outlook.unreachable = seen.unreachable;
  FERRYMAN_TRY(view, co_await cluster.view_pods(node, deadline));
  const auto daemon_sets = co_await cluster.daemon_sets(deadline);
  if (!daemon_sets) {
    outlook.unseen.push_back("DaemonSets cannot be listed, so each is taken to exist: " +
                             daemon_sets.error().text);
  }
  const auto budgets = co_await cluster.view_budgets(deadline);
  if (!budgets) outlook.unseen.push_back("budgets cannot be listed: " + budgets.error().text);
  Result<std::vector<LocalService>> services = std::vector<LocalService>();
  if (policy.deregister) services = co_await cluster.local_services(deadline);
  if (!services) {
    outlook.unseen.push_back(
        "Services cannot be listed, so pods behind one with externalTrafficPolicy Local "
        "are not told apart: " +
        services.error().text);
  }
  Judging judging(policy.drain, clock.wall());
  judging.unreachable = seen.unreachable;
  judging.daemon_sets = daemon_sets ? &*daemon_sets : nullptr;
  for (const Pod& pod : view->pods()) {
    PodOutlook of_pod = outlook_of(pod, policy, judging);
    of_pod.blocked = blocked(of_pod, budgets ? budgets->get() : nullptr);
    of_pod.traffic = policy.deregister && of_pod.wave &&
                     takes_traffic(pod, services ? *services : std::vector<LocalService>());
    outlook.pods.push_back(std::move(of_pod));
  }
  co_return outlook;
}

}  // namespace ferryman::termination::drain
