// SPDX-License-Identifier: Apache-2.0
// Outlook: what a drain would do with the pods of a node, asked now. It reads and writes nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "termination/drain/rules.h"

namespace ferryman::termination::drain {

class PodOutlook {
 public:
  PodOutlook() = default;

  Pod pod;
  Verdict verdict;                   // when the end is certain
  std::chrono::seconds grace{0};     // that it would be given
  Verdict if_voluntary;              // when it may come to nothing
  bool own = false;                  // our own pod: goes when no other is left
  std::optional<std::int32_t> wave;  // of those that are asked among the others
  bool traffic = false;              // it is not asked before the node's load balancers are quiet
  std::string blocked;  // the budget that refuses an eviction now, why, and what its owner could change
};

class NodeOutlook {
 public:
  NodeOutlook() = default;

  std::string node;
  bool unreachable = false;         // its kubelet does not report
  std::vector<std::string> unseen;  // what could not be read, and what that means
  std::vector<PodOutlook> pods;     // by namespace and name
};

/// Errors: as reading the Node and listing its pods. Without rights to DaemonSets and budgets it tells the
/// rest.
Task<Result<NodeOutlook>> look_ahead(Cluster& cluster, const Policy& policy, Clock& clock, std::string node,
                                     Deadline deadline);

}  // namespace ferryman::termination::drain
