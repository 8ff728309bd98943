// SPDX-License-Identifier: Apache-2.0
// NodePods: the pods of one node: one LIST, then what the shared PodWatch says. It must not outlive the
// PodWatch.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "kube/pod_watch.h"
#include "termination/ports/cluster.h"

namespace ferryman::kube {

class NodePods final : public termination::PodView, public std::enable_shared_from_this<NodePods> {
 public:
  NodePods(PodWatch& watch, std::string node_name);
  NodePods(const NodePods&) = delete;
  NodePods& operator=(const NodePods&) = delete;
  ~NodePods() override;

  [[nodiscard]] const std::vector<termination::Pod>& pods() const override { return pods_; }
  [[nodiscard]] bool gone(const Uid& uid) const override;
  Task<Result<void>> refresh(Deadline deadline) override;
  Signal& changed() override { return changed_; }

  /// From the watch.
  void apply(const PodEvent& event);
  /// Events may have been missed.
  void lost() { stale_ = true; }
  [[nodiscard]] bool stale() const { return stale_; }
  /// Of the newest list; 0 before the first.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  [[nodiscard]] const std::string& version_text() const { return version_text_; }

 private:
  Task<Result<void>> list_once(Deadline deadline);
  void take(std::vector<termination::Pod> pods, const std::string& version);
  bool change(const PodEvent& event);

  PodWatch& watch_;
  std::string node_name_;
  Signal changed_;
  std::vector<termination::Pod> pods_;  // by namespace and name
  std::unordered_set<Uid> uids_;        // of the same: there may be thousands that have finished
  std::string version_text_;
  std::uint64_t version_ = 0;
  bool stale_ = false;
};

}  // namespace ferryman::kube
