// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/addresses.h"

namespace ferryman::termination::balancers {

namespace {

bool goes(const Pod& pod) {
  const bool over = pod.phase == "Succeeded" || pod.phase == "Failed";
  return !pod.mirror && !over && !pod.host_network && pod.owner_kind != "DaemonSet";
}

}  // namespace

Task<Result<Addresses>> addresses_on(Cluster& cluster, Node node, Deadline deadline) {
  Addresses addresses;
  addresses.of_node = node.addresses;
  FERRYMAN_TRY(view, co_await cluster.view_pods(node.name, deadline));
  for (const Pod& pod : view->pods()) {
    if (!goes(pod) || pod.addresses.empty()) continue;
    addresses.of_pods.insert(addresses.of_pods.end(), pod.addresses.begin(), pod.addresses.end());
    addresses.namespaces.insert(pod.key.pod_namespace);
  }
  co_return addresses;
}

}  // namespace ferryman::termination::balancers
