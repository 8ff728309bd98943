// SPDX-License-Identifier: Apache-2.0
// KubeWorld: a model of an EKS cluster with a clock: nodes with kubelets, a scheduler, controllers, budgets.
// KubeHandler serves it to clients. Scenarios fill it and ask it; its work runs in the given scope, which may
// outlive it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sandbox/kube/budgets.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/controllers.h"
#include "sandbox/kube/eviction_scripts.h"
#include "sandbox/kube/kube_specs.h"
#include "sandbox/kube/kubelets.h"
#include "sandbox/kube/namespaces.h"
#include "sandbox/kube/taint_evictions.h"
#include "sandbox/kube/volumes.h"

namespace ferryman::sandbox {

/// What reports tell of a Node.
class NodeReport {
 public:
  NodeReport() = default;

  std::string name;
  InstanceId instance_id;
  bool unschedulable = false;
  bool ready = false;
  std::size_t pods = 0;
};

class PodReport {
 public:
  PodReport() = default;

  std::string pod_namespace;
  std::string name;
  Uid uid;
  std::string node_name;
  std::string owner_kind;  // "ReplicaSet", "DaemonSet", "Node" (a mirror pod); empty: none
  bool ready = false;
  bool terminating = false;
};

class KubeWorld {
 public:
  KubeWorld(Clock& clock, Random& random, Scope& scope, Journal& journal);

  /// Registers a Node, as a kubelet does when its instance has booted; a new UID and boot id each time.
  void add_node(const NodeSpec& spec);
  /// Nodes first: the pods are placed at once and run, as if the deployment were old.
  void add_deployment(const DeploymentSpec& spec);
  void add_daemon_set(const DaemonSetSpec& spec);
  void add_pod(const PodSpec& spec);
  /// A static pod's mirror on `spec.node_name`.
  void add_mirror_pod(const PodSpec& spec);
  void add_namespace(const std::string& name);
  /// `spec` is the object's: selector, minAvailable or maxUnavailable, unhealthyPodEvictionPolicy.
  void add_budget(const ObjectKey& key, json::value spec);
  void add_priority_class(const std::string& name, std::int32_t value);
  void add_volume(const VolumeSpec& spec) { volumes_.add(spec); }
  /// As `kubectl delete namespace`; the pods there are deleted so long after.
  void end_namespace(const std::string& name, Duration pods_after) { namespaces_.end(name, pods_after); }

  /// The instance no longer runs: its kubelet confirms nothing more; after 40 s the Node's Ready becomes
  /// Unknown.
  void node_stopped(const InstanceId& id);
  /// The instance is off, and may come back: the cloud controller taints its Node when that is no longer
  /// Ready.
  void node_shut_down(const InstanceId& id);
  /// The instance runs again, under another boot id: its kubelet ends what was to end and starts the rest.
  void node_started(const InstanceId& id, Duration ready_after);
  /// The cloud controller deletes the Node of an instance that is gone; its pods go when they are collected.
  void remove_node(const InstanceId& id);
  /// A kubelet's heartbeat now: a new resourceVersion, so that a precondition taken before fails.
  void touch_node(const InstanceId& id);
  /// From now on watches and continued lists that started earlier get 410 Expired.
  void forget_history() { state_.objects.compact(); }

  [[nodiscard]] std::vector<NodeReport> nodes() const;
  [[nodiscard]] std::optional<NodeReport> find_node(const InstanceId& id) const;
  [[nodiscard]] std::vector<PodReport> pods() const;
  [[nodiscard]] std::vector<PodReport> pods_of(const InstanceId& id) const;

  // For the handler.
  [[nodiscard]] ClusterState& state() { return state_; }
  [[nodiscard]] Kubelets& kubelets() { return kubelets_; }
  [[nodiscard]] Budgets& budgets() { return budgets_; }
  [[nodiscard]] Namespaces& namespaces() { return namespaces_; }
  [[nodiscard]] EvictionScripts& scripts() { return scripts_; }

 private:
  [[nodiscard]] ObjectPtr node_with(const InstanceId& id) const;
  void on_node_deleted(const json::value& node);
  void collect_pods(const std::string& node_name);
  void become_unknown(const ObjectKey& key, const std::string& uid);
  void become_ready(const ObjectKey& key, const std::string& uid);

  ClusterState state_;
  std::set<std::string> shut_down_;  // names of the Nodes whose instance is stopped
  Kubelets kubelets_;
  Budgets budgets_;
  Controllers controllers_;
  Namespaces namespaces_{state_, kubelets_};
  Volumes volumes_{state_};
  TaintEvictions taint_evictions_{state_, kubelets_};
  EvictionScripts scripts_{state_, kubelets_};
};

}  // namespace ferryman::sandbox
