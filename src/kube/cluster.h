// SPDX-License-Identifier: Apache-2.0
// KubeCluster: the Cluster port on a Kubernetes API server. It fetches and writes; it decides nothing.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/scope.h"
#include "kube/budget_cache.h"
#include "kube/node_cache.h"
#include "kube/pod_watch.h"

namespace ferryman::kube {

class KubeCluster final : public termination::Cluster {
 public:
  /// What the context names must outlive the cluster, and the cluster its pod views.
  explicit KubeCluster(Context context);

  /// Keeps Nodes and looked-at pods up to date until `scope` is cancelled; the scope must end before the
  /// cluster.
  void start(Scope& scope);

  /// Why `in_sync` is false ("listing nodes: connection refused at https://…"); empty when it is true.
  [[nodiscard]] std::string trouble() const;

  /// How long the API server has said nothing about nodes; it says something about once a minute.
  [[nodiscard]] Duration silence() const { return node_reflector_.silence(); }
  /// Its newest failure since then, in sync or not; empty: none.
  [[nodiscard]] const std::string& newest_trouble() const { return node_reflector_.trouble(); }

  [[nodiscard]] bool in_sync() const override { return node_reflector_.in_sync(); }
  [[nodiscard]] const termination::Node* find_node(const InstanceId& id) const override {
    return nodes_.find(id);
  }
  [[nodiscard]] std::vector<termination::Node> claimed_nodes() const override { return nodes_.claimed(); }
  void each_node(const std::function<void(const termination::Node&)>& visit) const override {
    nodes_.each(visit);
  }
  Signal& nodes_changed() override { return nodes_.changed(); }

  Task<Result<termination::Node>> read_node(std::string name, Deadline deadline) override;
  Task<Result<termination::Node>> patch_node(termination::NodePatch patch, Deadline deadline) override;
  Task<Result<std::shared_ptr<termination::PodView>>> view_pods(std::string node_name,
                                                                Deadline deadline) override;
  Task<Result<std::vector<termination::LocalService>>> local_services(Deadline deadline) override;
  Task<Result<std::optional<std::map<std::string, std::string>>>> config_map(std::string config_namespace,
                                                                             std::string name,
                                                                             Deadline deadline) override;
  /// One attempt. Errors as read_eviction says; invalid, without a UID: the name alone could be another
  /// pod's.
  Task<Result<termination::Eviction>> evict(termination::PodKey pod,
                                            std::optional<std::chrono::seconds> grace,
                                            Deadline deadline) override;
  Task<Result<void>> delete_pod(termination::PodKey pod, std::optional<std::chrono::seconds> grace,
                                Deadline deadline) override;
  Task<Result<std::shared_ptr<termination::BudgetView>>> view_budgets(Deadline deadline) override;
  Task<Result<std::set<std::string>>> daemon_sets(Deadline deadline) override;
  Task<Result<std::vector<termination::TargetGroupBinding>>> target_group_bindings(
      Deadline deadline) override;
  Task<Result<std::vector<termination::VolumeAttachment>>> attachments(Deadline deadline) override;
  Task<Result<std::string>> volume_of(std::string claim_namespace, std::string claim,
                                      Deadline deadline) override;
  Task<Result<void>> delete_node(termination::Node node, Deadline deadline) override;

 private:
  Task<Result<termination::Node>> node_answer(Call call, Deadline deadline);
  Task<Result<bool>> has_pod(termination::PodKey pod, Deadline deadline);

  Context context_;
  NodeCache nodes_;
  PodWatch pods_;
  BudgetCache budgets_;
  Reflector node_reflector_;
  Reflector pod_reflector_;
  Reflector budget_reflector_;
};

}  // namespace ferryman::kube
