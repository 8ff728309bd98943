// SPDX-License-Identifier: Apache-2.0
#include "unit/termination/fakes/fake_cluster.h"

#include <algorithm>

#include "termination/ports/marks.h"

namespace ferryman::test {

using termination::Eviction;
using termination::EvictionAnswer;
using termination::Node;
using termination::NodePatch;
using termination::PodKey;

FakeCluster::FakeCluster(Clock& clock, Script& script, Scope& kubelets)
    : clock_(clock), script_(script), kubelets_(kubelets), nodes_changed_(clock) {}

void FakeCluster::pass_on(const std::string& name) {
  if (!watch_works) return;
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) {
    cache_.erase(name);
  } else {
    cache_[name] = found->second;
  }
  nodes_changed_.notify_all();
}

void FakeCluster::add_node(Node node) {
  node.resource_version = std::to_string(++version_);
  const std::string name = node.name;
  nodes_[name] = std::move(node);
  pass_on(name);
}

void FakeCluster::remove_node(const std::string& name) {
  nodes_.erase(name);
  pass_on(name);
}

void FakeCluster::edit_node(const std::string& name, const std::function<void(Node&)>& edit) {
  Node& node = nodes_.at(name);
  edit(node);
  node.resource_version = std::to_string(++version_);
  pass_on(name);
}

const Node* FakeCluster::find_node(const InstanceId& id) const {
  for (const auto& [name, node] : cache_) {
    if (node.instance_id == id) return &node;
  }
  return nullptr;
}

std::vector<Node> FakeCluster::claimed_nodes() const {
  std::vector<Node> claimed;
  for (const auto& [name, node] : cache_) {
    if (!node.claim.empty()) claimed.push_back(node);
  }
  return claimed;
}

void FakeCluster::each_node(const std::function<void(const Node&)>& visit) const {
  for (const auto& [name, node] : cache_) visit(node);
}

Task<Result<std::optional<std::map<std::string, std::string>>>> FakeCluster::config_map(
    std::string config_namespace, std::string name, Deadline deadline) {
  using Data = std::optional<std::map<std::string, std::string>>;
  const std::string key = config_namespace + "/" + name;
  const Fate fate = co_await script_.enter("cluster.config_map", key, deadline);
  if (fate.error) co_return *fate.error;
  const auto found = config_maps.find(key);
  co_return found == config_maps.end() ? Data() : Data(found->second);
}

Task<Result<Node>> FakeCluster::read_node(std::string name, Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.read_node", name, deadline);
  if (fate.error) co_return *fate.error;
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) co_return Error(Fault::not_found, "nodes \"" + name + "\" not found");
  cache_[name] = found->second;
  co_return found->second;
}

void FakeCluster::apply(const NodePatch& patch, Node& node) const {
  if (patch.unschedulable) node.unschedulable = *patch.unschedulable;
  if (patch.taints) node.taints = *patch.taints;
  for (const auto& [key, value] : patch.labels) {
    if (value) {
      node.labels[key] = *value;
    } else {
      node.labels.erase(key);
    }
  }
  const auto claim = patch.annotations.find(std::string(termination::marks::claim_annotation));
  if (claim != patch.annotations.end()) node.claim = claim->second.value_or("");
}

Task<Result<Node>> FakeCluster::patch_node(NodePatch patch, Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.patch_node", patch.name, deadline);
  if (fate.takes_effect) {
    const auto found = nodes_.find(patch.name);
    if (found == nodes_.end()) co_return Error(Fault::not_found, "no such node");
    Node& node = found->second;
    if (node.uid != patch.uid || node.resource_version != patch.resource_version) {
      co_return Error(Fault::conflict, "the object has been modified");
    }
    apply(patch, node);
    node.resource_version = std::to_string(++version_);
    patches.push_back(patch);
    pass_on(patch.name);
  }
  if (fate.error) co_return *fate.error;
  cache_[patch.name] = nodes_.at(patch.name);
  co_return nodes_.at(patch.name);
}

}  // namespace ferryman::test
