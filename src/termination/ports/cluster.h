// SPDX-License-Identifier: Apache-2.0
// Cluster: what the product asks of Kubernetes. Adapter: kube/cluster. Nodes come from a watched cache.
// size: one interface with the values of its calls; pods are looked at only on nodes that end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/task.h"
#include "base/time.h"
#include "termination/ports/budgets.h"
#include "termination/ports/pods.h"
#include "termination/ports/target_group_bindings.h"
#include "termination/ports/volumes.h"

namespace ferryman::termination {

class Taint {
 public:
  Taint() = default;
  Taint(std::string key_in, std::string value_in, std::string effect_in)
      : key(std::move(key_in)), value(std::move(value_in)), effect(std::move(effect_in)) {}
  friend bool operator==(const Taint&, const Taint&) = default;

  std::string key;
  std::string value;
  std::string effect;      // "NoSchedule", "PreferNoSchedule", "NoExecute"
  std::string time_added;  // as read, so that a rewrite keeps it
};

/// What we keep of a Node.
class Node {
 public:
  Node() = default;

  std::string name;
  Uid uid;
  std::string resource_version;
  InstanceId instance_id;  // from spec.providerID; empty when that names no EC2 instance
  bool unschedulable = false;
  bool ready = false;
  bool unreachable = false;  // its Ready is Unknown: no kubelet has reported for a while
  std::string zone;          // label topology.kubernetes.io/zone
  std::string boot_id;
  std::vector<std::string> addresses;  // its IP addresses inside the VPC
  WallTime created;
  std::vector<Taint> taints;
  std::map<std::string, std::string> labels;
  std::string claim;  // the annotation's text as read; empty when there is none
};

/// One PATCH with a precondition: the Node must still have this UID and this resourceVersion.
class NodePatch {
 public:
  NodePatch() = default;
  explicit NodePatch(const Node& node)
      : name(node.name), uid(node.uid), resource_version(node.resource_version) {}

  std::string name;
  Uid uid;
  std::string resource_version;
  std::optional<bool> unschedulable;
  std::optional<std::vector<Taint>> taints;                       // the whole new list
  std::map<std::string, std::optional<std::string>> labels;       // empty optional: removed
  std::map<std::string, std::optional<std::string>> annotations;  // empty optional: removed
};

/// A Service of type NodePort or LoadBalancer with externalTrafficPolicy Local: a node passes its traffic on
/// to its own pods only.
class LocalService {
 public:
  LocalService() = default;

  std::string service_namespace;
  std::map<std::string, std::string> selector;  // never empty
};

class Cluster {
 public:
  virtual ~Cluster() = default;

  /// False until the first list is complete, and again after 150 s without event or bookmark.
  [[nodiscard]] virtual bool in_sync() const = 0;

  /// From the cache; the pointer is valid until the next suspension. Null: no Node carries this id.
  [[nodiscard]] virtual const Node* find_node(const InstanceId& id) const = 0;

  /// Copies of the cached Nodes that carry a claim of ours.
  [[nodiscard]] virtual std::vector<Node> claimed_nodes() const = 0;

  /// Each cached Node in turn, by name; `visit` must not suspend.
  virtual void each_node(const std::function<void(const Node&)>& visit) const = 0;

  /// Notified whenever the cache changes.
  virtual Signal& nodes_changed() = 0;

  /// A fresh GET. Errors: not_found.
  virtual Task<Result<Node>> read_node(std::string name, Deadline deadline) = 0;

  /// Errors: conflict (the precondition failed: read again and decide anew), not_found.
  /// The cache holds the answer when this returns.
  virtual Task<Result<Node>> patch_node(NodePatch patch, Deadline deadline) = 0;

  /// One LIST (by field spec.nodeName), then kept by the shared metadata watch.
  virtual Task<Result<std::shared_ptr<PodView>>> view_pods(std::string node_name, Deadline deadline) = 0;

  /// One LIST of all Services. Errors: denied, without the right.
  virtual Task<Result<std::vector<LocalService>>> local_services(Deadline deadline) = 0;

  /// One GET of a ConfigMap's data. Empty optional: there is no such ConfigMap. Errors: denied.
  virtual Task<Result<std::optional<std::map<std::string, std::string>>>> config_map(
      std::string config_namespace, std::string name, Deadline deadline) = 0;

  /// POST …/eviction with the UID as precondition. The pod's own grace applies unless `grace` is set.
  virtual Task<Result<Eviction>> evict(PodKey pod, std::optional<std::chrono::seconds> grace,
                                       Deadline deadline) = 0;

  /// DELETE with the UID as precondition. Gone already is a success.
  virtual Task<Result<void>> delete_pod(PodKey pod, std::optional<std::chrono::seconds> grace,
                                        Deadline deadline) = 0;

  /// The PodDisruptionBudgets of the cluster, kept up to date while the view lives. Errors: denied, without
  /// the right; budgets then show by refusals alone.
  virtual Task<Result<std::shared_ptr<BudgetView>>> view_budgets(Deadline deadline) = 0;

  /// One LIST of all DaemonSets, as "namespace/name". Errors: denied, without the right.
  virtual Task<Result<std::set<std::string>>> daemon_sets(Deadline deadline) = 0;

  /// One LIST of all VolumeAttachments: one call answers for all nodes. Errors: denied, without the right.
  virtual Task<Result<std::vector<VolumeAttachment>>> attachments(Deadline deadline) = 0;

  /// The PersistentVolume that a PersistentVolumeClaim is bound to; empty: none, or no such claim. Errors:
  /// denied.
  virtual Task<Result<std::string>> volume_of(std::string claim_namespace, std::string claim,
                                              Deadline deadline) = 0;

  /// Deletes the Node object if it has this UID and resourceVersion still; gone already is a success. Errors:
  /// conflict, when it is another Node or another version of it by now.
  virtual Task<Result<void>> delete_node(Node node, Deadline deadline) = 0;

  /// One LIST of TargetGroupBindings; none where the cluster does not know the kind. Errors: denied, without
  /// the right.
  virtual Task<Result<std::vector<TargetGroupBinding>>> target_group_bindings(Deadline deadline) = 0;
};

}  // namespace ferryman::termination
