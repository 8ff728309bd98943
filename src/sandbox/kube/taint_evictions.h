// SPDX-License-Identifier: Apache-2.0
// TaintEvictions: who ends pods behind everybody's back. The taint manager deletes those that do not tolerate
// a NoExecute taint of their node, without asking a budget; unreachable and not-ready are tolerated for 300
// s, as admission writes into every pod. The pod collector removes, without a kubelet's word, what terminates
// on a Node that is not Ready and tainted out-of-service.
// https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions
#pragma once

#include <set>
#include <string>
#include <utility>

#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kubelets.h"

namespace ferryman::sandbox {

class TaintEvictions {
 public:
  TaintEvictions(ClusterState& state, Kubelets& kubelets);

 private:
  void look_soon();
  void look();
  void look_at(const json::value& node);
  void collect(const std::string& node_name);
  void plan(const json::value& pod, const std::string& taint_key, Duration tolerated);
  void end(const ObjectKey& pod, const std::string& uid, const std::string& taint_key);

  ClusterState& state_;
  Kubelets& kubelets_;
  std::set<std::string> tainted_;                          // Nodes with a NoExecute taint, looked at again
  std::set<std::pair<std::string, std::string>> planned_;  // pod's UID and taint's key
  bool looking_ = false;
};

}  // namespace ferryman::sandbox
