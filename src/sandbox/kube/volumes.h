// SPDX-License-Identifier: Apache-2.0
// Volumes: the attach and detach controller. A VolumeAttachment goes a while after the last pod on its node
// that mounts its claim is gone. Where no kubelet is left to unmount, six minutes later, or at once when the
// Node is tainted out-of-service. Attaching elsewhere is not played.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kube_specs.h"

namespace ferryman::sandbox {

class Volumes {
 public:
  explicit Volumes(ClusterState& state);

  /// Makes claim, volume ("pv-" and the claim's name) and attachment ("csi-" and the volume's).
  void add(const VolumeSpec& spec);

 private:
  void look_soon();
  void look();
  /// Empty: a pod needs it still.
  [[nodiscard]] std::optional<Duration> detach_time(const json::value& attachment) const;
  [[nodiscard]] bool in_use(const std::string& volume, std::string_view node) const;
  void detach(const ObjectKey& key, const std::string& uid);

  ClusterState& state_;
  std::map<std::string, SteadyTime> leaving_;  // UIDs of attachments that go, and when
  bool looking_ = false;
};

}  // namespace ferryman::sandbox
