// SPDX-License-Identifier: Apache-2.0
// Controllers: keep replica sets and daemon sets filled, bind pods to nodes, taint cordoned nodes, count
// budgets. They look a moment after each change, as watching controllers do.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/kube/budgets.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kube_specs.h"
#include "sandbox/kube/kubelets.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

class Controllers {
 public:
  Controllers(ClusterState& state, Kubelets& kubelets, Budgets& budgets);

  /// The first pods run at once, as if the deployment were old; those without a node stay Pending.
  void add_deployment(const DeploymentSpec& spec);
  void add_daemon_set(const DaemonSetSpec& spec);
  /// Creates one pod, bound when a node takes it; `running` from the start, or started by the kubelet.
  void create_pod(const PodSpec& spec, const PodOwner& owner, bool running);

 private:
  struct Workload {
    PodOwner owner;
    PodSpec pod;  // its name is the prefix of the pods' names
    std::map<std::string, std::string> selector;
    int replicas = 0;  // of a replica set
  };

  void look_soon();
  void look();
  void taint_cordoned();
  void bind_pending();
  void report();
  /// Puts the workload's new form, if it is still there.
  template <class Status>
  void put_status(std::string_view resource, const ObjectKey& key, const Status& status);
  void fill(const Workload& set, bool running);
  void fill_daemon_set(const Workload& set, bool running);
  void place(PodSpec spec, const PodOwner& owner, bool running);
  /// The node with the fewest pods, ties by name; empty when none takes the pod.
  [[nodiscard]] std::string choose_node(const json::value& pod) const;
  std::string create_owner(std::string_view resource, json::value object);

  ClusterState& state_;
  Kubelets& kubelets_;
  Budgets& budgets_;
  std::vector<Workload> replica_sets_;
  std::vector<Workload> daemon_sets_;
  bool looking_ = false;
};

}  // namespace ferryman::sandbox
