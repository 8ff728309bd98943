// SPDX-License-Identifier: Apache-2.0
// Scenario: what a world holds when its story begins, as YAML and flags describe it, with defaults for
// everything. Errors (invalid) name the key, the line and what is allowed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sandbox/aws/access_rights.h"
#include "sandbox/world.h"

namespace ferryman::sandbox {

class Scenario {
 public:
  Scenario() = default;

  using Seconds = std::chrono::seconds;

  // The cluster.
  std::string cluster = "sandbox";
  int nodes = 12;
  int nodes_per_group = 100;  // a group for each so many nodes
  int pods_per_node = 10;
  int deployments = 3;     // the pods are theirs, in equal parts
  int min_available = 80;  // percent of each deployment that its budget keeps; 0: no budgets
  Seconds pod_grace{30};   // terminationGracePeriodSeconds
  Seconds pod_end{3};      // from SIGTERM to a pod's end
  Seconds pod_ready{2};    // from a new pod's start to Ready
  bool daemon_set = true;  // one pod on every node that a drain leaves alone

  // AWS.
  std::string region = "us-west-2";
  std::string account = "123456789012";
  std::string queue = "ferryman";
  Seconds visibility_timeout{30};
  std::string hook = "ferryman";
  bool hooks = true;  // false: groups wait for nobody
  Seconds heartbeat_timeout{300};
  std::string default_result = "CONTINUE";
  bool notifications = true;                 // false: groups wait for their hooks and tell nobody
  bool state_changes = false;                // the queue hears of every instance's states too
  std::optional<Seconds> replacement_delay;  // empty: groups launch nothing by themselves
  Seconds boot{10};                          // of a launched instance
  Seconds join{20};                          // from running to registered as a Node
  Seconds node_ready{10};                    // and to Ready
  Seconds shutdown{5};                       // from shutting-down to terminated
  int foreign_instances = 0;  // of another cluster's group; their events come to the same queue
  // Load balancers. Every node is registered in each target group (some have two ports) and classic ELB, or
  // in so many of them, all equally used.
  int target_groups = 0;
  int classic_elbs = 0;
  int pod_target_groups =
      0;  // of the first deployment's pods by their addresses, each with its TargetGroupBinding
  bool second_ports = true;        // every fourth target group has two
  int target_groups_per_node = 0;  // 0: each
  int classic_elbs_per_node = 0;
  Seconds deregistration_delay{30};  // of the target groups, and how long classic connections drain

  Seconds target_registration{10};         // a new target is initial for so long
  Seconds continued_service{20};           // new requests to a target that left: a quarter of it to all of it
  Seconds continued_service_network{130};  // and of network balancers: six thirteenths of it to all of it
  bool throttling = true;                  // refuse what is asked more often than AWS publishes
  int neighbour = 0;                       // percent of the published rates that others of the account spend

  AccessRights aws_rights;  // what AWS' callers may do; everything when it is not given
  bool check_signatures = true;
  bool check_tokens = true;
  std::string kubernetes_rights;  // of the kubeconfig's token; empty: an administrator's
  std::uint64_t seed = 1;
};

/// The scenario that the text describes, on top of `defaults`. `file` names it in errors.
Result<Scenario> read_scenario(std::string_view yaml, const std::string& file, Scenario defaults = {});

/// The settings for a World in which `populate` can be used.
WorldSettings world_settings(const Scenario& scenario);

/// Puts queue, rule, load balancers, groups, hooks, nodes, deployments and foreign instances into a fresh
/// world.
void populate(World& world, const Scenario& scenario);

}  // namespace ferryman::sandbox
