// SPDX-License-Identifier: Apache-2.0
// PodLedger: where the pods are and whose, kept as they change, so that a cluster of thousands of nodes costs
// no scan of all pods at each change. Knows what the store holds; nothing in it is a copy of its own.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sandbox/kube/object_store.h"

namespace ferryman::sandbox {

class PodLedger {
 public:
  using Pods = std::map<ObjectKey, ObjectPtr>;

  /// Pods with the same labels, which every selector takes or leaves together.
  class Group {
   public:
    Pods pods;
    int healthy = 0;  // ready, and not terminating
  };

  /// Listens from now on: before anything else does, so that others find it true. The store must outlive it.
  explicit PodLedger(ObjectStore& objects);
  PodLedger(const PodLedger&) = delete;
  PodLedger& operator=(const PodLedger&) = delete;

  /// Under "" are those that are bound nowhere.
  [[nodiscard]] const Pods& on_node(std::string_view node) const;
  [[nodiscard]] bool has(const std::string& owner_uid, const std::string& node) const;
  /// Pods of a controller that neither terminate nor have finished.
  [[nodiscard]] int active(const std::string& owner_uid) const;
  [[nodiscard]] int ready(const std::string& owner_uid) const;
  /// Nodes that are ready and not cordoned, those with the fewest pods first, ties by name.
  [[nodiscard]] const std::set<std::pair<std::size_t, std::string>>& open_nodes() const { return open_; }
  /// Of a namespace; by labels.
  [[nodiscard]] const std::map<std::string, Group>& groups(const std::string& space) const;

 private:
  void add(const ObjectPtr& pod);
  void take(const json::value& pod);
  void count(const json::value& pod, int by);
  void open(const std::string& node, bool is_open);
  void recount(const std::string& node);

  std::map<std::string, Pods, std::less<>> nodes_;
  std::map<std::pair<std::string, std::string>, int> placed_;  // owner's UID and node
  std::map<std::string, int> active_;
  std::map<std::string, int> ready_;
  std::map<std::string, std::map<std::string, Group>> groups_;  // by namespace, by labels
  std::map<std::string, std::size_t> places_;  // of open nodes: as how many pods they stand in open_
  std::set<std::pair<std::size_t, std::string>> open_;
};

}  // namespace ferryman::sandbox
