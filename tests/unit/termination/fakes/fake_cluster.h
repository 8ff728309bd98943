// SPDX-License-Identifier: Apache-2.0
// FakeCluster: Kubernetes as far as the product sees it: nodes with versions and a cache that may be stale,
// pods that take their time to end, budgets that refuse. Operations in the script: cluster.read_node,
// cluster.patch_node, cluster.view_pods, cluster.refresh, cluster.local_services, cluster.config_map,
// cluster.evict, cluster.delete_pod, cluster.view_budgets, cluster.daemon_sets, cluster.bindings,
// cluster.attachments, cluster.volume_of, cluster.delete_node.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/scope.h"
#include "termination/ports/cluster.h"
#include "unit/termination/fakes/fake_pod.h"
#include "unit/termination/fakes/fake_volume.h"
#include "unit/termination/fakes/script.h"

namespace ferryman::test {

class FakePodView;
class FakeBudgetView;

class FakeCluster final : public termination::Cluster {
 public:
  /// The pods end in `kubelets`.
  FakeCluster(Clock& clock, Script& script, Scope& kubelets);

  void add_node(termination::Node node);
  void remove_node(const std::string& name);
  /// Another writer's change; the cache learns of it only when `watch_works`.
  void edit_node(const std::string& name, const std::function<void(termination::Node&)>& edit);
  void add_pod(FakePod pod);
  /// Gone from the API at once.
  void end_pod(const Uid& uid);
  void edit_pod(const Uid& uid, const std::function<void(FakePod&)>& edit);

  [[nodiscard]] bool in_sync() const override { return synced; }
  [[nodiscard]] const termination::Node* find_node(const InstanceId& id) const override;
  [[nodiscard]] std::vector<termination::Node> claimed_nodes() const override;
  void each_node(const std::function<void(const termination::Node&)>& visit) const override;
  Signal& nodes_changed() override { return nodes_changed_; }
  Task<Result<termination::Node>> read_node(std::string name, Deadline deadline) override;
  Task<Result<termination::Node>> patch_node(termination::NodePatch patch, Deadline deadline) override;
  Task<Result<std::shared_ptr<termination::PodView>>> view_pods(std::string node_name,
                                                                Deadline deadline) override;
  Task<Result<std::vector<termination::LocalService>>> local_services(Deadline deadline) override;
  Task<Result<std::optional<std::map<std::string, std::string>>>> config_map(std::string config_namespace,
                                                                             std::string name,
                                                                             Deadline deadline) override;
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

  /// Every view learns of it at once.
  void set_budgets(std::vector<termination::Budget> budgets);
  /// Attached to `node` from now on.
  void attach(const std::string& node, FakeVolume volume);
  [[nodiscard]] bool has_node(const std::string& name) const { return nodes_.contains(name); }

  [[nodiscard]] const termination::Node& node(const std::string& name) const { return nodes_.at(name); }
  [[nodiscard]] bool has_pod(const std::string& name) const;
  [[nodiscard]] std::vector<termination::Pod> pods_on(const std::string& node) const;

  std::vector<termination::LocalService> services;
  std::map<std::string, std::map<std::string, std::string>> config_maps;  // by "namespace/name"
  std::set<std::string> known_daemon_sets;                                // "namespace/name"
  std::vector<termination::VolumeAttachment> attached;
  std::vector<termination::TargetGroupBinding> bindings;
  bool synced = true;
  bool watch_works = true;
  std::vector<termination::NodePatch> patches;              // all that took effect
  std::vector<std::optional<std::chrono::seconds>> graces;  // of each delete, in order

 private:
  void pass_on(const std::string& name);
  void tell_views();
  void terminate(FakePod& pod, std::optional<Duration> at_most);
  Task<void> end_later(Uid uid, Duration after);
  void detach(const FakePod& pod);
  Task<void> detach_later(std::string volume, Duration after);
  void apply(const termination::NodePatch& patch, termination::Node& node) const;

  Clock& clock_;
  Script& script_;
  Scope& kubelets_;
  Signal nodes_changed_;
  std::map<std::string, termination::Node> nodes_;
  std::map<std::string, termination::Node> cache_;
  std::map<Uid, FakePod> pods_;
  std::vector<std::weak_ptr<FakePodView>> views_;
  std::map<std::string, FakeVolume> volumes_;  // by claim
  std::vector<termination::Budget> budgets_;
  std::vector<std::weak_ptr<FakeBudgetView>> budget_views_;
  int version_ = 100;
};

class FakePodView final : public termination::PodView {
 public:
  FakePodView(Clock& clock, Script& script, const FakeCluster& cluster, std::string node)
      : script_(script), cluster_(cluster), node_(std::move(node)), changed_(clock) {}

  [[nodiscard]] const std::vector<termination::Pod>& pods() const override { return pods_; }
  [[nodiscard]] bool gone(const Uid& uid) const override;
  Task<Result<void>> refresh(Deadline deadline) override;
  Signal& changed() override { return changed_; }

  void update();

 private:
  Script& script_;
  const FakeCluster& cluster_;
  std::string node_;
  std::vector<termination::Pod> pods_;
  Signal changed_;
};

}  // namespace ferryman::test
