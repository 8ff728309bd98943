// SPDX-License-Identifier: Apache-2.0
// ShadowCluster: a Cluster that reads. Its writes are kept in memory and shown over what is read: a patched
// Node looks patched, an evicted pod is gone from its view. Preconditions are checked as the API server
// would.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "termination/ports/cluster.h"
#include "termination/shadow/node_overlay.h"
#include "termination/shadow/shadow_pods.h"

namespace ferryman::termination::shadow {

class ShadowCluster final : public Cluster {
 public:
  /// `real` must outlive this.
  ShadowCluster(Log log, Cluster& real) : log_(std::move(log)), real_(real) {}

  [[nodiscard]] bool in_sync() const override { return real_.in_sync(); }
  [[nodiscard]] const Node* find_node(const InstanceId& id) const override;
  [[nodiscard]] std::vector<Node> claimed_nodes() const override;
  void each_node(const std::function<void(const Node&)>& visit) const override;
  Signal& nodes_changed() override { return real_.nodes_changed(); }
  Task<Result<Node>> read_node(std::string name, Deadline deadline) override;
  Task<Result<Node>> patch_node(NodePatch patch, Deadline deadline) override;
  Task<Result<std::shared_ptr<PodView>>> view_pods(std::string node_name, Deadline deadline) override;
  Task<Result<std::vector<LocalService>>> local_services(Deadline deadline) override {
    return real_.local_services(deadline);
  }
  Task<Result<std::optional<std::map<std::string, std::string>>>> config_map(std::string config_namespace,
                                                                             std::string name,
                                                                             Deadline deadline) override {
    return real_.config_map(std::move(config_namespace), std::move(name), deadline);
  }
  Task<Result<Eviction>> evict(PodKey pod, std::optional<std::chrono::seconds> grace,
                               Deadline deadline) override;
  Task<Result<void>> delete_pod(PodKey pod, std::optional<std::chrono::seconds> grace,
                                Deadline deadline) override;
  Task<Result<std::shared_ptr<BudgetView>>> view_budgets(Deadline deadline) override {
    return real_.view_budgets(deadline);
  }
  Task<Result<std::set<std::string>>> daemon_sets(Deadline deadline) override {
    return real_.daemon_sets(deadline);
  }
  Task<Result<std::vector<TargetGroupBinding>>> target_group_bindings(Deadline deadline) override {
    return real_.target_group_bindings(deadline);
  }
  Task<Result<std::vector<VolumeAttachment>>> attachments(Deadline deadline) override {
    return real_.attachments(deadline);
  }
  Task<Result<std::string>> volume_of(std::string claim_namespace, std::string claim,
                                      Deadline deadline) override {
    return real_.volume_of(std::move(claim_namespace), std::move(claim), deadline);
  }
  /// The Node is shown no more.
  Task<Result<void>> delete_node(Node node, Deadline deadline) override;

 private:
  /// Null: the Node is shown as it is.
  [[nodiscard]] const NodeOverlay* overlay_of(const Node& node) const;
  void forget_gone();
  void end(const PodKey& pod, std::string_view call);

  Log log_;
  Cluster& real_;
  std::map<std::string, NodeOverlay> overlays_;  // by the Node's name
  mutable std::map<std::string, Node> shown_;    // what find_node points to
  std::set<Uid> deleted_;                        // Nodes
  std::vector<std::weak_ptr<ShadowPods>> views_;
};

}  // namespace ferryman::termination::shadow
