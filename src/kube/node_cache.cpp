// SPDX-License-Identifier: Apache-2.0
#include "kube/node_cache.h"

#include <optional>

#include "kube/objects.h"

namespace ferryman::kube {

using termination::Node;

namespace {

constexpr Duration longest_list = std::chrono::minutes{2};

/// True when both are the same object and `other` is the newer state of it.
bool is_older(const Node& node, const Node& other) {
  return node.uid == other.uid &&
         version_number(node.resource_version) < version_number(other.resource_version);
}

}  // namespace

NodeCache::NodeCache(Context context) : context_(std::move(context)), changed_(context_.clock) {}

const Node* NodeCache::find(const InstanceId& id) const {
  const Row* best = nullptr;
  const auto [first, last] = by_instance_.equal_range(id);
  for (auto at = first; at != last; ++at) {
    const Row* row = at->second;
    const bool younger = best == nullptr || row->node.created > best->node.created ||
                         (row->node.created == best->node.created && row->node.name > best->node.name);
    if (younger) best = row;
  }
  return best == nullptr ? nullptr : &best->node;
}

const Node* NodeCache::find_by_name(std::string_view name) const {
  const auto found = rows_.find(name);
  return found == rows_.end() ? nullptr : &found->second.node;
}

std::vector<Node> NodeCache::claimed() const {
  std::vector<Node> nodes;
  for (const auto& [name, row] : rows_) {
    if (!row.node.claim.empty()) nodes.push_back(row.node);
  }
  return nodes;
}

void NodeCache::each(const std::function<void(const Node&)>& visit) const {
  for (const auto& [name, row] : rows_) visit(row.node);
}

NodeCache::Row& NodeCache::replace(Node node) {
  Row& row = rows_[node.name];
  if (row.node.instance_id != node.instance_id) {
    forget_instance(row);
    if (!node.instance_id.empty()) by_instance_.emplace(node.instance_id, &row);
  }
  row.node = std::move(node);
  context_.metrics.nodes.set(static_cast<double>(rows_.size()));
  return row;
}

void NodeCache::forget_instance(const Row& row) {
  const auto [first, last] = by_instance_.equal_range(row.node.instance_id);
  for (auto at = first; at != last; ++at) {
    if (at->second != &row) continue;
    by_instance_.erase(at);
    return;
  }
}

void NodeCache::remove(std::string_view name) {
  const auto found = rows_.find(name);
  if (found == rows_.end()) return;
  forget_instance(found->second);
  rows_.erase(found);
  context_.metrics.nodes.set(static_cast<double>(rows_.size()));
}

void NodeCache::put(const json::value& object) {
  auto node = node_from(object);
  if (!node) return;
  const Node* known = find_by_name(node->name);
  if (known == nullptr || known->uid != node->uid || is_older(*node, *known)) return;
  replace(std::move(*node)).put = list_;
  changed_.notify_all();
}

bool NodeCache::apply(const WatchEvent& event) {
  auto node = node_from(event.object);
  if (!node) return false;
  const Node* known = find_by_name(node->name);
  if (event.kind == WatchEventKind::deleted) {
    if (known != nullptr && known->uid == node->uid) remove(node->name);
  } else {
    if (known != nullptr && is_older(*node, *known)) return true;
    replace(std::move(*node)).seen = list_;
  }
  changed_.notify_all();
  return true;
}

void NodeCache::begin() {
  ++list_;
}

/// A Node that cannot be read is passed over: one broken object must not blind us for all others.
Result<void> NodeCache::item(std::string_view text) {
  const auto object = parse_json(text);
  auto node = object ? node_from(*object) : std::nullopt;
  if (!node) {
    context_.metrics.unreadable_objects.add();
    context_.log.debug("kube.unreadable", {{"resource", "nodes"}, {"bytes", text.size()}});
    return {};
  }
  const auto known = rows_.find(node->name);
  if (known != rows_.end() && known->second.put == list_ && is_older(*node, known->second.node)) {
    known->second.seen = list_;
    return {};
  }
  replace(std::move(*node)).seen = list_;
  return {};
}

void NodeCache::drop_unseen() {
  std::vector<std::string> gone;
  for (const auto& [name, row] : rows_) {
    if (row.seen != list_) gone.push_back(name);
  }
  for (const std::string& name : gone) remove(name);
}

Task<Result<std::string>> NodeCache::list() {
  auto version = co_await read_list(context_.client, Call("GET", "/api/v1/nodes"), *this,
                                    Deadline::after(context_.clock, longest_list));
  if (version) drop_unseen();
  changed_.notify_all();
  co_return version;
}

}  // namespace ferryman::kube
