// SPDX-License-Identifier: Apache-2.0
// VoluntaryWorld: rebalance recommendations drain, and AWS Health announces changes.
#pragma once

#include <vector>

#include "unit/termination/balanced_world.h"
#include "unit/termination/bodies.h"

namespace ferryman::test {

class VoluntaryWorld : public BalancedWorld {
 public:
  static constexpr int bystander = 900;  // a healthy target everywhere

  VoluntaryWorld() {
    policy.actions_by_kind.at(static_cast<std::size_t>(termination::EventKind::rebalance_recommendation)) =
        termination::Action::drain;
    put_everywhere(bystander);
  }
  [[nodiscard]] WallTime now() const { return sim.clock.wall(); }
  [[nodiscard]] bool cordoned(int n) const { return cluster.node(node_name(n)).unschedulable; }
  [[nodiscard]] int cordoned_of(int nodes) const {
    int count = 0;
    for (int n = 1; n <= nodes; ++n) count += cordoned(n) ? 1 : 0;
    return count;
  }
  void add_nodes(int nodes) {
    for (int n = 1; n <= nodes; ++n) (void)ending_node(n);
  }
  [[nodiscard]] HealthNotice notice(std::vector<int> instances, Duration ahead) const {
    HealthNotice made;
    made.instances = std::move(instances);
    made.time = now();
    made.starts = now() + ahead;
    return made;
  }
  [[nodiscard]] HealthNotice reboot_notice(std::vector<int> instances, Duration ahead) const {
    HealthNotice made = notice(std::move(instances), ahead);
    made.code = "AWS_EC2_INSTANCE_REBOOT_MAINTENANCE_SCHEDULED";
    return made;
  }
  /// AWS calls the announced change off.
  void close(HealthNotice announced) {
    announced.status = "closed";
    announced.time = now();
    queue.send("closed", health_body(announced));
  }
};

}  // namespace ferryman::test
