// SPDX-License-Identifier: Apache-2.0
#include "termination/ownership.h"

namespace ferryman::termination {

Ownership owner_of(const Event& event, const Cluster& cluster) {
  if (cluster.find_node(event.instance_id) != nullptr) return Ownership::ours;
  return cluster.in_sync() ? Ownership::foreign : Ownership::unknown;
}

WallTime end_of_life(const Event& event) {
  return event.event_time + std::chrono::hours{48};
}

}  // namespace ferryman::termination
