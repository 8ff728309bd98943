// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/rules.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ferryman::termination::drain {

namespace {

using Answer = std::optional<Verdict>;

// The kubelet runs it from a file; the API refuses to evict its mirror.
Answer mirror_pods_stay(const Pod& pod) {
  if (!pod.mirror) return std::nullopt;
  return Verdict(Treatment::skip, "static pod");
}

Answer finished_pods_stay(const Pod& pod) {
  if (pod.phase != "Succeeded" && pod.phase != "Failed") return std::nullopt;
  return Verdict(Treatment::skip, "finished");
}

// Its controller ignores "unschedulable" and would put it back at once.
Answer daemon_set_pods_stay(const Pod& pod) {
  if (pod.owner_kind != "DaemonSet") return std::nullopt;
  return Verdict(Treatment::skip, "daemon set");
}

Answer terminating_pods_are_waited_for(const Pod& pod) {
  if (!pod.terminating) return std::nullopt;
  return Verdict(Treatment::wait, "terminating already");
}

constexpr std::array rules = {mirror_pods_stay, finished_pods_stay, daemon_set_pods_stay,
                              terminating_pods_are_waited_for};

}  // namespace

Verdict judge(const Pod& pod, bool voluntary) {
  for (const auto& rule : rules) {
    if (const Answer answer = rule(pod)) return *answer;
  }
  if (voluntary && pod.forced_ends_only) return {Treatment::keep, "not for an end that may come to nothing"};
  return {Treatment::evict, "workload"};
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
