// SPDX-License-Identifier: Apache-2.0
// What a drain does with each pod: an ordered list of rules, the first that answers decides. A new rule is
// one function and one line in the list in the .cpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "termination/policy.h"
#include "termination/ports/cluster.h"

namespace ferryman::termination::drain {

enum class Treatment : std::uint8_t {
  evict,  // through the Eviction API
  wait,   // it goes by itself
  keep,   // it stays unless the end becomes forced; waited for
  skip,   // it stays, and nobody waits for it
};

class Verdict {
 public:
  Verdict() = default;
  Verdict(Treatment treatment_in, std::string_view reason_in) : treatment(treatment_in), reason(reason_in) {}

  Treatment treatment = Treatment::evict;
  std::string_view reason;  // a literal, for log and report
};

/// `voluntary`: the end may come to nothing.
Verdict judge(const Pod& pod, bool voluntary = false);
/// What load balancers reach on this node alone: host network, host ports, pods behind such a Service.
bool takes_traffic(const Pod& pod, const std::vector<LocalService>& services);
bool is_own_pod(const Pod& pod, const Policy& policy);

}  // namespace ferryman::termination::drain
