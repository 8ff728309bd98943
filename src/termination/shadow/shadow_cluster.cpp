// SPDX-License-Identifier: Apache-2.0
#include "termination/shadow/shadow_cluster.h"

#include <algorithm>
#include <set>

namespace ferryman::termination::shadow {

namespace {

std::string words_for(const NodePatch& patch) {
  std::string words;
  const auto add = [&](std::string_view word) { words += (words.empty() ? "" : ", ") + std::string(word); };
  if (patch.unschedulable) add(*patch.unschedulable ? "cordon" : "uncordon");
  if (patch.taints) add("taints");
  for (const auto& [key, value] : patch.labels) add((value ? "label " : "no label ") + key);
  for (const auto& [key, value] : patch.annotations) add((value ? "annotation " : "no annotation ") + key);
  return words;
}

}  // namespace

const NodeOverlay* ShadowCluster::overlay_of(const Node& node) const {
  const auto found = overlays_.find(node.name);
  return found == overlays_.end() || !found->second.belongs_to(node) ? nullptr : &found->second;
}

const Node* ShadowCluster::find_node(const InstanceId& id) const {
  const Node* node = real_.find_node(id);
  if (node != nullptr && deleted_.contains(node->uid)) return nullptr;
  const NodeOverlay* overlay = node == nullptr ? nullptr : overlay_of(*node);
  if (overlay == nullptr) return node;
  return &(shown_[node->name] = overlay->over(*node));
}

void ShadowCluster::each_node(const std::function<void(const Node&)>& visit) const {
  real_.each_node([&](const Node& node) {
    if (deleted_.contains(node.uid)) return;
    const NodeOverlay* overlay = overlay_of(node);
    visit(overlay == nullptr ? node : overlay->over(node));
  });
}

std::vector<Node> ShadowCluster::claimed_nodes() const {
  std::vector<Node> claimed;
  each_node([&](const Node& node) {
    if (!node.claim.empty()) claimed.push_back(node);
  });
  return claimed;
}

Task<Result<Node>> ShadowCluster::read_node(std::string name, Deadline deadline) {
  FERRYMAN_TRY(node, co_await real_.read_node(std::move(name), deadline));
  if (deleted_.contains(node.uid)) co_return Error(Fault::not_found, "node " + node.name + " would be gone");
  const NodeOverlay* overlay = overlay_of(node);
  if (overlay == nullptr) co_return std::move(node);
  co_return overlay->over(std::move(node));
}

/// The read stands for the write: it finds out what the API server would say about the preconditions.
Task<Result<Node>> ShadowCluster::patch_node(NodePatch patch, Deadline deadline) {
  FERRYMAN_TRY(node, co_await read_node(patch.name, deadline));
  if (node.uid != patch.uid || node.resource_version != patch.resource_version) {
    co_return Error(Fault::conflict, "patching node " + patch.name + ": the object has been modified");
  }
  forget_gone();
  log_.info("shadow.would", {{"call", "patch node"}, {"node", patch.name}, {"with", words_for(patch)}});
  NodeOverlay& overlay = overlays_[patch.name];
  if (!overlay.belongs_to(node)) overlay = NodeOverlay(node.uid);
  overlay.take(patch, node);
  real_.nodes_changed().notify_all();
  co_return overlay.over(std::move(node));
}

/// Overlays of Nodes that are no more.
void ShadowCluster::forget_gone() {
  std::set<std::string> names;
  real_.each_node([&](const Node& node) { names.insert(node.name); });
  std::erase_if(overlays_, [&](const auto& entry) { return !names.contains(entry.first); });
  std::erase_if(shown_, [&](const auto& entry) { return !names.contains(entry.first); });
}

Task<Result<std::shared_ptr<PodView>>> ShadowCluster::view_pods(std::string node_name, Deadline deadline) {
  FERRYMAN_TRY(real, co_await real_.view_pods(std::move(node_name), deadline));
  auto view = std::make_shared<ShadowPods>(std::move(real));
  std::erase_if(views_, [](const auto& weak) { return weak.expired(); });
  views_.push_back(view);
  co_return std::shared_ptr<PodView>(std::move(view));
}

void ShadowCluster::end(const PodKey& pod, std::string_view call) {
  log_.info("shadow.would", {{"call", call}, {"pod", pod.pod_namespace + "/" + pod.name}});
  for (const auto& weak : views_) {
    if (const auto view = weak.lock()) view->end(pod.uid);
  }
}

Task<Result<Eviction>> ShadowCluster::evict(PodKey pod, std::optional<std::chrono::seconds> /*grace*/,
                                            Deadline /*deadline*/) {
  end(pod, "evict pod");
  co_return Eviction();
}

Task<Result<void>> ShadowCluster::delete_pod(PodKey pod, std::optional<std::chrono::seconds> /*grace*/,
                                             Deadline /*deadline*/) {
  end(pod, "delete pod");
  co_return Result<void>();
}

/// The read stands for the write here too.
Task<Result<void>> ShadowCluster::delete_node(Node node, Deadline deadline) {
  const auto there = co_await read_node(node.name, deadline);
  if (!there && there.error().fault == Fault::not_found) co_return Result<void>();
  if (!there) co_return there.error();
  if (there->uid != node.uid || there->resource_version != node.resource_version) {
    co_return Error(Fault::conflict, "deleting node " + node.name + ": the object has been modified");
  }
  log_.info("shadow.would", {{"call", "delete node"}, {"node", node.name}});
  deleted_.insert(node.uid);
  real_.nodes_changed().notify_all();
  co_return Result<void>();
}

}  // namespace ferryman::termination::shadow
