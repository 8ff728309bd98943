// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "unit/termination/fakes/fake_budget_view.h"
#include "unit/termination/fakes/fake_cluster.h"

namespace ferryman::test {

using termination::BudgetView;
using termination::Node;
using termination::VolumeAttachment;

Task<Result<std::shared_ptr<BudgetView>>> FakeCluster::view_budgets(Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.view_budgets", "", deadline);
  if (fate.error) co_return *fate.error;
  auto view = std::make_shared<FakeBudgetView>(clock_);
  view->update(budgets_);
  budget_views_.push_back(view);
  co_return std::shared_ptr<BudgetView>(std::move(view));
}

void FakeCluster::set_budgets(std::vector<termination::Budget> budgets) {
  budgets_ = std::move(budgets);
  for (const auto& weak : budget_views_) {
    if (const auto view = weak.lock()) view->update(budgets_);
  }
}

Task<Result<std::vector<termination::TargetGroupBinding>>> FakeCluster::target_group_bindings(
    Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.bindings", "", deadline);
  if (fate.error) co_return *fate.error;
  co_return bindings;
}

Task<Result<std::set<std::string>>> FakeCluster::daemon_sets(Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.daemon_sets", "", deadline);
  if (fate.error) co_return *fate.error;
  co_return known_daemon_sets;
}

void FakeCluster::attach(const std::string& node, FakeVolume volume) {
  attached.emplace_back("csi-" + volume.volume, node, volume.volume);
  const std::string claim = volume.claim;
  volumes_[claim] = std::move(volume);
}

void FakeCluster::detach(const FakePod& pod) {
  for (const std::string& claim : pod.pod.volume_claims) {
    const auto found = volumes_.find(pod.pod.key.pod_namespace + "/" + claim);
    if (found == volumes_.end() || !found->second.detaches) continue;
    kubelets_.spawn("detach", detach_later(found->second.volume, *found->second.detaches));
  }
}

Task<void> FakeCluster::detach_later(std::string volume, Duration after) {
  co_await clock_.sleep_for(after);
  std::erase_if(attached, [&](const VolumeAttachment& one) { return one.volume == volume; });
}

Task<Result<std::vector<VolumeAttachment>>> FakeCluster::attachments(Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.attachments", "", deadline);
  if (fate.error) co_return *fate.error;
  co_return attached;
}

Task<Result<std::string>> FakeCluster::volume_of(std::string claim_namespace, std::string claim,
                                                 Deadline deadline) {
  const std::string name = claim_namespace + "/" + claim;
  const Fate fate = co_await script_.enter("cluster.volume_of", name, deadline);
  if (fate.error) co_return *fate.error;
  const auto found = volumes_.find(name);
  co_return found == volumes_.end() ? std::string() : found->second.volume;
}

Task<Result<void>> FakeCluster::delete_node(Node node, Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.delete_node", node.name, deadline);
  const auto found = nodes_.find(node.name);
  if (fate.takes_effect && found != nodes_.end()) {
    if (found->second.uid != node.uid || found->second.resource_version != node.resource_version) {
      co_return Error(Fault::conflict, "the object has been modified");
    }
    remove_node(node.name);
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

}  // namespace ferryman::test
