// SPDX-License-Identifier: Apache-2.0
// size: the whole of what we ask of Kubernetes, on one page.
// Cluster: what the product asks of Kubernetes. Adapter: kube/cluster. Nodes come from a cache that a watch
// feeds; pods are looked at only on nodes that end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/task.h"
#include "base/time.h"

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
  std::string boot_id;
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

class PodKey {
 public:
  PodKey() = default;

  std::string pod_namespace;
  std::string name;
  Uid uid;
};

class Pod {
 public:
  Pod() = default;

  PodKey key;
  std::string phase;       // "Pending", "Running", "Succeeded", "Failed"
  std::string owner_kind;  // of the controlling owner; empty when there is none
  std::string owner_name;
  bool mirror = false;       // a static pod's image in the API: cannot be evicted
  bool terminating = false;  // has a deletionTimestamp
  bool host_network = false;
  bool forced_ends_only = false;   // annotation ferryman.dev/forced-ends-only: not for a voluntary end
  bool host_ports = false;         // a container that listens on a port of the node
  std::chrono::seconds grace{30};  // spec.terminationGracePeriodSeconds
  std::int32_t priority = 0;
  std::map<std::string, std::string> labels;
};

/// A Service of type NodePort or LoadBalancer with externalTrafficPolicy Local: a node passes its traffic on
/// to its own pods only.
class LocalService {
 public:
  LocalService() = default;

  std::string service_namespace;
  std::map<std::string, std::string> selector;  // never empty
};

/// The pods of one Node, kept up to date while it lives. A pod that disappears or whose name comes back with
/// another UID is gone.
class PodView {
 public:
  virtual ~PodView() = default;

  /// All pods of the Node that are not gone, by namespace and name.
  [[nodiscard]] virtual const std::vector<Pod>& pods() const = 0;
  [[nodiscard]] virtual bool gone(const Uid& uid) const = 0;
  /// Lists the Node's pods anew: the proof before a completion.
  virtual Task<Result<void>> refresh(Deadline deadline) = 0;
  /// Notified whenever `pods` changes.
  virtual Signal& changed() = 0;
};

enum class EvictionAnswer : std::uint8_t {
  accepted,  // 201: the pod terminates now
  gone,      // 404, or another pod has the name now (UID conflict)
  blocked,   // 429 with cause DisruptionBudget, or 500 "more than one PodDisruptionBudget": budgets refuse
};

class Eviction {
 public:
  Eviction() = default;
  Eviction(EvictionAnswer answer_in, std::string reason_in)
      : answer(answer_in), reason(std::move(reason_in)) {}

  EvictionAnswer answer = EvictionAnswer::accepted;
  std::string reason;                        // for blocked: the API server's words
  std::chrono::milliseconds retry_after{0};  // for blocked: 0 when none was named
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
};

}  // namespace ferryman::termination
