// SPDX-License-Identifier: Apache-2.0
// DemoProgress: how far each ended node is, read from the sandbox's journal alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "sandbox/journal.h"

namespace ferryman::app {

enum class Stage : std::uint8_t {
  serving,    // nothing has happened yet
  told,       // the message about its end is in the queue
  cordoned,   // the daemon has written to the Node
  leaving,    // load balancers let go of it
  draining,   // its pods end
  empty,      // no pod is left that can be moved
  completed,  // the lifecycle action is completed
  timed_out,  // the hook ran out before
};

std::string_view name_of(Stage stage);

class NodeProgress {
 public:
  NodeProgress() = default;

  InstanceId instance_id;
  std::string node;
  Stage stage = Stage::serving;
  std::size_t pods_before = 0;  // when it was cordoned
  std::size_t pods_left = 0;
  std::size_t targets_before = 0;
  std::size_t targets_left = 0;
  std::size_t refused = 0;  // pods there whose last eviction a budget refused
  std::optional<SteadyTime> told;
  std::optional<SteadyTime> cordoned;
  std::optional<SteadyTime> deregistered;   // from the last load balancer
  std::optional<SteadyTime> first_evicted;  // of its pods
  std::optional<SteadyTime> empty;
  std::optional<SteadyTime> let_go;  // by the last load balancer
  std::optional<SteadyTime> completed;
};

/// "draining, 10 pods and 22 targets left, budgets refuse 4"
std::string how_far(const NodeProgress& node);

class DemoProgress {
 public:
  /// The journal must outlive this.
  explicit DemoProgress(const sandbox::Journal& journal) : journal_(journal) {}

  /// From now on the instance is followed.
  void follow(const InstanceId& id);
  /// Another cluster's instance: only what becomes of the messages about it is followed.
  void follow_foreign(const InstanceId& id) { foreign_.insert(id.str()); }
  /// Reads what is new in the journal.
  void update();

  [[nodiscard]] const std::vector<NodeProgress>& nodes() const { return nodes_; }
  [[nodiscard]] bool all_ended() const;
  [[nodiscard]] std::size_t completed() const;
  [[nodiscard]] std::size_t pods_evicted() const { return pods_evicted_; }
  /// Messages about foreign instances: sent, made visible again for their owner, still in the queue.
  [[nodiscard]] std::size_t foreign_events() const { return foreign_sent_; }
  [[nodiscard]] std::size_t foreign_given_back() const { return given_back_.size(); }
  [[nodiscard]] std::size_t foreign_left() const { return foreign_messages_.size(); }
  [[nodiscard]] std::size_t targets_deregistered() const { return targets_deregistered_; }

 private:
  void read(const sandbox::JournalEntry& entry);
  void read_pod(const sandbox::JournalEntry& entry);
  void read_eviction(const sandbox::JournalEntry& entry);
  void read_message(const sandbox::JournalEntry& entry);
  void read_target(const sandbox::JournalEntry& entry);
  void read_hook(const sandbox::JournalEntry& entry);
  NodeProgress* by_instance(const std::string& id);
  NodeProgress* by_node(const std::string& name);
  [[nodiscard]] std::size_t pods_on(const std::string& node) const;

  const sandbox::Journal& journal_;
  std::size_t next_ = 0;
  std::vector<NodeProgress> nodes_;
  std::map<std::string, std::string> node_of_instance_;
  std::map<std::string, std::string> node_of_pod_;        // by UID
  std::map<std::string, std::set<std::string>> pods_;     // of a node, by UID; only those that a drain moves
  std::map<std::string, std::size_t> targets_;            // of an instance: registered or draining
  std::map<std::string, std::set<std::string>> refused_;  // of a node: pods by UID
  std::set<std::string> foreign_;                         // instances
  std::set<std::string> foreign_messages_;                // those in the queue
  std::set<std::string> given_back_;
  std::size_t foreign_sent_ = 0;
  std::size_t pods_evicted_ = 0;
  std::size_t targets_deregistered_ = 0;
};

}  // namespace ferryman::app
