// SPDX-License-Identifier: Apache-2.0
// Kubelets: start the pods bound to their nodes, end deleted ones within their grace, and confirm the end by
// removing the object. A stopped kubelet does nothing more. Writes the journal's facts about pods.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "sandbox/kube/cluster_state.h"

namespace ferryman::sandbox {

class Kubelets {
 public:
  explicit Kubelets(ClusterState& state);

  /// A DELETE as the API server takes it: sets deletionTimestamp and grace, or removes the pod at once (grace
  /// 0, not bound to a node, finished). A repeated call may only shorten the grace. Gives the pod as it is
  /// afterwards.
  ObjectPtr delete_pod(const ObjectKey& key, std::chrono::seconds grace);

  /// The node was started again: what was to end has ended, the rest runs anew.
  void resume(std::string_view node_name);

  /// Removes the object now. `how` goes into the journal: "kubelet", "killed at grace", "forced", "node
  /// removed", "out of service".
  void drop(const ObjectKey& key, std::string_view how);

  /// An address for a pod or a node that has none.
  std::string next_ip(std::string_view network);

 private:
  struct Ending {
    SteadyTime begun;
    SteadyTime finish;
    bool killed = false;
  };

  void on_pod(const Change& change);
  void start_later(const json::value& pod);
  void start(const ObjectKey& key, const std::string& uid, bool ready);
  void end_later(const json::value& pod);
  void end(const ObjectKey& key, const std::string& uid);
  void recreate_mirror(const json::value& gone);
  [[nodiscard]] bool alive(std::string_view node_name) const;

  ClusterState& state_;
  std::map<std::string, Ending> endings_;  // by UID
  std::map<std::string, std::uint32_t, std::less<>> next_address_;
};

}  // namespace ferryman::sandbox
