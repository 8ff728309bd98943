// SPDX-License-Identifier: Apache-2.0
// SceneCluster: one Kubernetes cluster of a scene: its API server, group, nodes, workload and load balancers.
// AWS, with the one queue, is shared by all clusters of the scene.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sandbox/aws/access_keys.h"
#include "sandbox/cluster_nodes.h"
#include "sandbox/kube/kube_handler.h"
#include "sim/replica.h"
#include "sim/scene_shape.h"

namespace ferryman::sim {

/// What the clusters of a scene share.
class SceneStage {
 public:
  SceneStage(test::Simulation& sim_in, Scope& servers_in, std::uint64_t seed)
      : sim(sim_in), servers(servers_in), chance(seed) {}

  test::Simulation& sim;
  Scope& servers;
  Random chance;
  sandbox::Journal journal{sim.clock};
  sandbox::Timeline timeline{sim.clock, servers};
  sandbox::AwsWorld aws{timeline, chance, journal};
  sandbox::AccessKeys keys{chance, aws.settings()};
};

class SceneCluster {
 public:
  /// The first cluster is called "sim", and its group "workers".
  SceneCluster(SceneStage& stage, const std::string& name, SceneShape shape);
  SceneCluster(const SceneCluster&) = delete;
  SceneCluster& operator=(const SceneCluster&) = delete;

  /// A member of the group without a Node, which joins so long after, or (empty) never.
  InstanceId start_late(std::optional<Duration> join) { return nodes_.start_late(group(), join); }
  /// Ends an instance through the group, as an operator does.
  void end(const InstanceId& id);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Identity& identity() const { return identity_; }
  [[nodiscard]] const SceneShape& shape() const { return shape_; }
  /// What the cluster's daemons are judged by; may be changed while the scene runs.
  sandbox::PromiseTerms& terms() { return shape_.terms; }
  /// For the replicas that start from now on.
  void give_arguments(std::vector<std::string> arguments) { shape_.arguments = std::move(arguments); }
  sandbox::Group& group() { return *stage_.aws.groups().find(group_name_); }
  sandbox::KubeWorld& kube() { return kube_; }
  sandbox::KubeHandler& api_server() { return api_server_; }
  /// The nodes of the beginning.
  [[nodiscard]] const std::vector<InstanceId>& instances() const { return instances_; }

 private:
  void add_group();
  void add_balancers();
  void add_workload();

  SceneStage& stage_;
  SceneShape shape_;
  std::string name_;
  std::string group_name_;
  Identity identity_;
  std::optional<sandbox::Journal> own_journal_;  // the first cluster writes into the scene's own
  sandbox::KubeWorld kube_;
  sandbox::ClusterNodes nodes_;
  sandbox::KubeHandler api_server_;
  std::vector<InstanceId> instances_;
};

}  // namespace ferryman::sim
