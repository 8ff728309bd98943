// SPDX-License-Identifier: Apache-2.0
// What a drain does with each pod: an ordered list of rules, the first that answers decides. A new rule is
// one function and one line in the list in the .cpp. docs/drain.md shows the list to users.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "termination/policy.h"
#include "termination/ports/cluster.h"

namespace ferryman::termination::drain {

enum class Treatment : std::uint8_t {
  evict,   // through the Eviction API
  remove,  // deleted at once, past budgets
  last,    // a DaemonSet's pod that a setting chose: deleted after all others are gone; its successor stays
  sweep,   // finished: asked to go once, and nobody waits for it
  wait,    // it goes by itself
  keep,    // it stays unless the end becomes forced; waited for
  refuse,  // a setting forbids it: it stays and is named; the others go all the same
  skip,    // it stays, and nobody waits for it
};
/// "evict", "remove", …
std::string_view name_of(Treatment treatment);

class Verdict {
 public:
  Verdict() = default;
  Verdict(Treatment treatment_in, std::string_view reason_in) : treatment(treatment_in), reason(reason_in) {}

  Treatment treatment = Treatment::evict;
  std::string_view reason;  // a literal, for log and report
};

/// What a verdict depends on beside the pod. It lives no longer than the policy.
class Judging {
 public:
  Judging(const DrainPolicy& policy_in, WallTime now_in) : policy(policy_in), now(now_in) {}

  const DrainPolicy& policy;
  WallTime now;
  bool voluntary = false;                              // the end may come to nothing
  bool unreachable = false;                            // the Node's kubelet does not report
  std::optional<WallTime> asked;                       // when we asked the pod to go
  const std::set<std::string>* daemon_sets = nullptr;  // that exist, "namespace/name"; null: taken to be all
};

Verdict judge(const Pod& pod, const Judging& judging);
/// What load balancers reach on this node alone: host network, host ports, pods behind such a Service.
bool takes_traffic(const Pod& pod, const std::vector<LocalService>& services);
bool is_own_pod(const Pod& pod, const Policy& policy);

}  // namespace ferryman::termination::drain
