// SPDX-License-Identifier: Apache-2.0
// Addresses: those of a node and its pods, by which target groups of type "ip" know them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "termination/ports/cluster.h"

namespace ferryman::termination::balancers {

class Addresses {
 public:
  Addresses() = default;

  std::vector<std::string> of_node;
  std::vector<std::string> of_pods;  // that have an address of their own and go with the drain
  std::set<std::string> namespaces;  // of those pods
};

/// By one LIST. Pods of DaemonSets and mirrors of static pods are left out: nothing takes them off the node.
Task<Result<Addresses>> addresses_on(Cluster& cluster, Node node, Deadline deadline);

}  // namespace ferryman::termination::balancers
