// SPDX-License-Identifier: Apache-2.0
// Namespaces that end: while one does, nothing is made in it; then its pods are deleted, and when the last is
// gone the rest goes with it.
#pragma once

#include <string>

#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kubelets.h"

namespace ferryman::sandbox {

class Namespaces {
 public:
  Namespaces(ClusterState& state, Kubelets& kubelets);

  /// Begins its end; its pods are deleted, with their grace, so long after.
  void end(const std::string& name, Duration pods_after);
  [[nodiscard]] bool ends(const std::string& name) const;

 private:
  void delete_pods(const std::string& name);
  void finish_if_empty(const std::string& name);
  [[nodiscard]] std::vector<ObjectKey> pods_of(const std::string& name) const;

  ClusterState& state_;
  Kubelets& kubelets_;
};

}  // namespace ferryman::sandbox
