// SPDX-License-Identifier: Apache-2.0
// SceneShape: what one cluster of a scene holds, and how its daemons are started and judged.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "sandbox/promises.h"

namespace ferryman::sim {

class SceneShape {
 public:
  SceneShape() = default;
  /// No node ends by itself, none is with a balancer, no budget refuses.
  static SceneShape quiet() {
    SceneShape shape;
    shape.terminate = 0;
    shape.target_groups = 0;
    shape.classic_elbs = 0;
    shape.budget = false;
    return shape;
  }

  int nodes = 3;
  int terminate = 1;
  int replicas = 4;  // of the one deployment, whose budget lets one go at a time
  std::chrono::seconds heartbeat_timeout{60};
  std::chrono::seconds pod_grace{30};
  Duration pod_end{std::chrono::seconds{5}};  // from SIGTERM to the end
  Duration ready_after{std::chrono::seconds{8}};
  bool budget = true;
  /// Every node is in each: the first target group is a network balancer's, the others are an application
  /// balancer's. None: nothing to leave.
  int target_groups = 2;
  int classic_elbs = 1;
  std::chrono::seconds deregistration_delay{20};
  bool state_changes = false;  // the queue hears of every instance's states too; the first cluster decides
  bool tells_its_name = true;  // --cluster-name, which makes an instance ours before its node is there
  Duration node_removal{0};    // from an instance's end to the removal of its Node
  Duration latency{0};         // of each call of its daemons
  std::vector<std::string> arguments;  // more flags for the daemon
  sandbox::PromiseTerms terms;
};

}  // namespace ferryman::sim
