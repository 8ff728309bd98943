// SPDX-License-Identifier: Apache-2.0
#include "app/demo_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ferryman::app {

namespace {

std::string detail(const sandbox::JournalEntry& entry, const std::string& key) {
  const auto found = entry.details.find(key);
  return found == entry.details.end() ? std::string() : found->second;
}

}  // namespace

std::string_view name_of(Stage stage) {
  constexpr std::array<std::string_view, 8> names{"serving",  "told",  "cordoned",  "leaving",
                                                  "draining", "empty", "completed", "timed out"};
  return names.at(static_cast<std::size_t>(stage));
}

std::string how_far(const NodeProgress& node) {
  std::string out = fmt::format("{}, {} pods", name_of(node.stage), node.pods_left);
  if (node.targets_before > 0) out += fmt::format(" and {} targets", node.targets_left);
  out += " left";
  if (node.refused > 0) out += fmt::format(", budgets refuse {}", node.refused);
  return out;
}

void DemoProgress::follow(const InstanceId& id) {
  NodeProgress node;
  node.instance_id = id;
  node.node = node_of_instance_[id.str()];
  node.pods_left = pods_on(node.node);
  node.targets_before = node.targets_left = targets_[id.str()];
  nodes_.push_back(std::move(node));
}

void DemoProgress::update() {
  const auto& entries = journal_.entries();
  for (; next_ < entries.size(); ++next_) read(entries[next_]);
  for (NodeProgress& node : nodes_) {
    node.pods_left = pods_on(node.node);
    node.targets_left = targets_[node.instance_id.str()];
    node.refused = refused_[node.node].size();
  }
}

bool DemoProgress::all_ended() const {
  return std::all_of(nodes_.begin(), nodes_.end(),
                     [](const NodeProgress& n) { return n.stage >= Stage::completed; });
}

std::size_t DemoProgress::completed() const {
  return static_cast<std::size_t>(std::count_if(
      nodes_.begin(), nodes_.end(), [](const NodeProgress& n) { return n.stage == Stage::completed; }));
}

void DemoProgress::read(const sandbox::JournalEntry& entry) {
  if (entry.operation == "node.added") {
    node_of_instance_[detail(entry, "instance")] = entry.subject;
  } else if (entry.operation.starts_with("pod.")) {
    read_pod(entry);
  } else if (entry.operation.starts_with("target.")) {
    read_target(entry);
  } else if (entry.operation.starts_with("hook.")) {
    read_hook(entry);
  } else if (entry.operation.starts_with("message.") || entry.service == "sqs") {
    read_message(entry);
  } else if (entry.operation == "nodes.patch" && entry.outcome == "ok") {
    NodeProgress* node = by_node(entry.subject);
    if (node == nullptr || node->cordoned) return;
    node->cordoned = entry.at;
    node->pods_before = pods_on(node->node);
    node->stage = std::max(node->stage, node->pods_before == 0 ? Stage::empty : Stage::cordoned);
    if (node->pods_before == 0) node->empty = entry.at;
  } else if (entry.operation == "pods.evict") {
    read_eviction(entry);
  }
}

// A refused eviction is the drain too: where budgets allow nothing, one sees that.
void DemoProgress::read_eviction(const sandbox::JournalEntry& entry) {
  const std::string uid = detail(entry, "uid");
  const std::string& node_name = node_of_pod_[uid];
  NodeProgress* node = by_node(node_name);
  if (entry.outcome == "ok") {
    ++pods_evicted_;
    refused_[node_name].erase(uid);
    if (node != nullptr && !node->first_evicted) node->first_evicted = entry.at;
  } else if (entry.outcome == "429") {
    refused_[node_name].insert(uid);
    if (node != nullptr) node->stage = std::max(node->stage, Stage::draining);
  }
}

void DemoProgress::read_message(const sandbox::JournalEntry& entry) {
  // A message that is held is hidden for 10 s at least (--message-visibility); one that is given back, less.
  constexpr int shortest_hold = 10;
  if (entry.operation == "message.sent") {
    const std::string id = detail(entry, "instance");
    if (foreign_.contains(id)) {
      foreign_messages_.insert(entry.subject);
      ++foreign_sent_;
    }
    NodeProgress* node = by_instance(id);
    if (node == nullptr || node->told) return;
    node->told = entry.at;
    node->stage = std::max(node->stage, Stage::told);
  } else if (entry.operation == "message.expired" || entry.operation == "message.deleted") {
    foreign_messages_.erase(entry.subject);
  } else if (entry.operation == "message.hidden" && foreign_messages_.contains(entry.subject)) {
    if (std::atoi(detail(entry, "timeout").c_str()) < shortest_hold) given_back_.insert(entry.subject);
  }
}

void DemoProgress::read_target(const sandbox::JournalEntry& entry) {
  const std::string id = detail(entry, "instance");
  NodeProgress* node = by_instance(id);
  if (entry.operation == "target.registered") {
    ++targets_[id];
  } else if (entry.operation == "target.draining") {
    if (node == nullptr || node->stage >= Stage::completed) return;
    ++targets_deregistered_;
    node->deregistered = entry.at;
    node->stage = std::max(node->stage, Stage::leaving);
  } else if (entry.operation == "target.gone") {
    if (--targets_[id] == 0 && node != nullptr) node->let_go = entry.at;
  }
}

// What a daemon set or the kubelet itself puts on a node stays there.
void DemoProgress::read_pod(const sandbox::JournalEntry& entry) {
  const std::string owner = detail(entry, "owner");
  const std::string node_name = detail(entry, "node");
  if (owner == "DaemonSet" || owner == "Node" || node_name.empty()) return;
  NodeProgress* node = by_node(node_name);
  auto& pods = pods_[node_name];
  node_of_pod_[detail(entry, "uid")] = node_name;
  if (entry.operation == "pod.gone" || entry.operation == "pod.terminating")
    refused_[node_name].erase(detail(entry, "uid"));
  if (entry.operation == "pod.gone") {
    pods.erase(detail(entry, "uid"));
    if (node == nullptr || !node->cordoned || !pods.empty() || node->empty) return;
    node->empty = entry.at;
    node->stage = std::max(node->stage, Stage::empty);
  } else {
    pods.insert(detail(entry, "uid"));
    const bool leaving = entry.operation == "pod.terminating" && node != nullptr && node->cordoned;
    if (leaving) node->stage = std::max(node->stage, Stage::draining);
  }
}

void DemoProgress::read_hook(const sandbox::JournalEntry& entry) {
  NodeProgress* node = by_instance(entry.subject);
  if (node == nullptr || node->stage >= Stage::completed) return;
  if (entry.operation == "hook.completed") {
    node->stage = Stage::completed;
    node->completed = entry.at;
  } else if (entry.operation == "hook.timed_out" || entry.operation == "hook.dropped") {
    node->stage = Stage::timed_out;
  }
}

NodeProgress* DemoProgress::by_instance(const std::string& id) {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                  [&](const NodeProgress& n) { return n.instance_id.str() == id; });
  return found == nodes_.end() ? nullptr : &*found;
}

NodeProgress* DemoProgress::by_node(const std::string& name) {
  const auto found =
      std::find_if(nodes_.begin(), nodes_.end(), [&](const NodeProgress& n) { return n.node == name; });
  return found == nodes_.end() ? nullptr : &*found;
}

std::size_t DemoProgress::pods_on(const std::string& node) const {
  const auto found = pods_.find(node);
  return found == pods_.end() ? 0 : found->second.size();
}

}  // namespace ferryman::app
