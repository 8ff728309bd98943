// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/rules.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ferryman::termination::drain {

namespace {

using Answer = std::optional<Verdict>;
using Rule = Answer (*)(const Pod&, const Judging&);

bool is_finished(const Pod& pod) {
  return pod.phase == "Succeeded" || pod.phase == "Failed";
}

bool is_of_daemon_set(const Pod& pod) {
  return pod.owner_kind == "DaemonSet";
}

bool is_orphan(const Pod& pod, const Judging& judging) {
  return is_of_daemon_set(pod) && judging.daemon_sets != nullptr &&
         !judging.daemon_sets->contains(pod.key.pod_namespace + "/" + pod.owner_name);
}

bool is_chosen_daemon(const Pod& pod, const Judging& judging) {
  const auto& chosen = judging.policy.daemonset_pods;
  return is_of_daemon_set(pod) && !is_orphan(pod, judging) && chosen && chosen->matches(pod.labels);
}

Answer other_pods_are_not_ours(const Pod& pod, const Judging& judging) {
  if (judging.policy.pod_selector.matches(pod.labels)) return std::nullopt;
  return Verdict(Treatment::skip, "not in the pod selector");
}

// kubectl counts whole seconds after the deletionTimestamp, which is when the pod's grace was over.
Answer overdue_pods_are_not_waited_for(const Pod& pod, const Judging& judging) {
  const Duration limit = judging.policy.skip_wait_for_delete;
  if (limit <= Duration{0} || !pod.terminating || !pod.ends_by) return std::nullopt;
  if (std::chrono::floor<std::chrono::seconds>(judging.now - *pod.ends_by) <= limit) return std::nullopt;
  return Verdict(Treatment::skip, "should have ended long ago");
}

// No kubelet confirms the end of its containers, however long one waits. The watch does not tell when a
// deletion began: it was when we asked, or else the pod's grace before its deletionTimestamp; a shorter grace
// given then makes it look older, which is well.
Answer pods_of_a_silent_kubelet_are_not_waited_for(const Pod& pod, const Judging& judging) {
  constexpr Duration a_moment = std::chrono::seconds{5};
  if (!judging.unreachable || !pod.terminating) return std::nullopt;
  std::optional<WallTime> since = judging.asked;
  if (!since && pod.ends_by) since = *pod.ends_by - pod.grace;
  if (!since || judging.now - *since < a_moment) return std::nullopt;
  return Verdict(Treatment::skip, "deleted, and the kubelet does not report");
}

// Its controller ignores "unschedulable" and would put it back at once.
Answer daemon_set_pods_stay(const Pod& pod, const Judging& judging) {
  if (!is_of_daemon_set(pod) || is_finished(pod) || is_orphan(pod, judging)) return std::nullopt;
  if (is_chosen_daemon(pod, judging)) return std::nullopt;
  if (!judging.policy.ignore_daemonsets) return Verdict(Treatment::refuse, "daemon set, not ignored");
  return Verdict(Treatment::skip, "daemon set");
}

// The kubelet runs it from a file; the API refuses to evict its mirror.
Answer mirror_pods_stay(const Pod& pod, const Judging&) {
  if (!pod.mirror) return std::nullopt;
  return Verdict(Treatment::skip, "static pod");
}

Answer finished_pods_are_swept(const Pod& pod, const Judging&) {
  if (!is_finished(pod)) return std::nullopt;
  return Verdict(Treatment::sweep, "finished");
}

// Before what refuses: it goes whether a setting likes it or not, and its grace is honoured.
Answer terminating_pods_are_waited_for(const Pod& pod, const Judging&) {
  if (!pod.terminating) return std::nullopt;
  return Verdict(Treatment::wait, "terminating already");
}

Answer orphans_may_be_guarded(const Pod& pod, const Judging& judging) {
  if (judging.policy.force || !is_orphan(pod, judging)) return std::nullopt;
  return Verdict(Treatment::refuse, "its daemon set is gone");
}

Answer local_data_may_be_guarded(const Pod& pod, const Judging& judging) {
  if (!pod.empty_dir || judging.policy.delete_emptydir_data) return std::nullopt;
  return Verdict(Treatment::refuse, "data in an emptyDir");
}

// Nothing would put it back elsewhere.
Answer bare_pods_may_be_guarded(const Pod& pod, const Judging& judging) {
  if (judging.policy.force || !pod.owner_kind.empty()) return std::nullopt;
  return Verdict(Treatment::refuse, "no controller");
}

Answer some_pods_stay_for_voluntary_ends(const Pod& pod, const Judging& judging) {
  if (!judging.voluntary) return std::nullopt;
  if (pod.forced_ends_only) return Verdict(Treatment::keep, "not for an end that may come to nothing");
  if (pod.do_not_disrupt) return Verdict(Treatment::keep, "not to be disrupted");
  const auto& guarded = judging.policy.protected_pods;
  if (guarded && guarded->matches(pod.labels)) return Verdict(Treatment::keep, "a protected pod");
  return std::nullopt;
}

Answer chosen_daemon_set_pods_go_last(const Pod& pod, const Judging& judging) {
  if (!is_chosen_daemon(pod, judging)) return std::nullopt;
  return Verdict(Treatment::last, "daemon set, chosen");
}

Answer all_others_go(const Pod& pod, const Judging& judging) {
  const std::string_view reason = is_orphan(pod, judging) ? "its daemon set is gone" : "workload";
  return Verdict(judging.policy.disable_eviction ? Treatment::remove : Treatment::evict, reason);
}

constexpr std::array<Rule, 13> rules = {
    other_pods_are_not_ours,
    overdue_pods_are_not_waited_for,
    pods_of_a_silent_kubelet_are_not_waited_for,
    daemon_set_pods_stay,
    mirror_pods_stay,
    finished_pods_are_swept,
    terminating_pods_are_waited_for,
    orphans_may_be_guarded,
    local_data_may_be_guarded,
    bare_pods_may_be_guarded,
    some_pods_stay_for_voluntary_ends,
    chosen_daemon_set_pods_go_last,
    all_others_go,
};

constexpr std::array<std::string_view, 8> treatments = {"evict", "remove", "last",   "sweep",
                                                        "wait",  "keep",   "refuse", "skip"};

}  // namespace

std::string_view name_of(Treatment treatment) {
  return treatments.at(static_cast<std::size_t>(treatment));
}

Verdict judge(const Pod& pod, const Judging& judging) {
  for (const Rule rule : rules) {
    if (const Answer answer = rule(pod, judging)) return *answer;
  }
  return {};
}

bool takes_traffic(const Pod& pod, const std::vector<LocalService>& services) {
  if (pod.host_network || pod.host_ports) return true;
  return std::any_of(services.begin(), services.end(), [&](const LocalService& service) {
    return service.service_namespace == pod.key.pod_namespace &&
           std::includes(pod.labels.begin(), pod.labels.end(), service.selector.begin(),
                         service.selector.end());
  });
}

bool is_own_pod(const Pod& pod, const Policy& policy) {
  return !policy.own_pod.empty() && pod.key.name == policy.own_pod &&
         pod.key.pod_namespace == policy.own_namespace;
}

}  // namespace ferryman::termination::drain
