// SPDX-License-Identifier: Apache-2.0
// DrainPolicy: what the settings say about pods. Names that kubectl drain has mean what they mean there.
// https://kubernetes.io/docs/reference/kubectl/generated/kubectl_drain/
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/label_selector.h"
#include "base/time.h"
#include "termination/event.h"

namespace ferryman::termination {

class DrainPolicy {
 public:
  DrainPolicy() = default;

  // As in kubectl, but that nothing refuses by default: the node ends anyway.
  bool ignore_daemonsets = true;
  bool delete_emptydir_data = true;
  bool force = true;                                 // pods without a controller go too
  LabelSelector pod_selector;                        // empty: every pod
  std::optional<std::chrono::seconds> grace_period;  // empty: each pod's own
  bool disable_eviction = false;                     // DELETE at once, past budgets
  Duration skip_wait_for_delete{0};  // a pod that should have ended so long ago is not waited for; 0: it is

  std::optional<LabelSelector> daemonset_pods;  // these DaemonSet pods are deleted, after all others
  std::optional<LabelSelector> protected_pods;  // kept for ends that may come to nothing
  /// By kind of event, in their order: ferryman.dev/wait-up-to is heeded. An end of several kinds heeds it if
  /// all do.
  std::array<bool, event_kinds> heed_waits = {true, false, false, true, true, false, false, true};
  Duration delete_unready_after{0};  // so long not Ready, a pod that a budget protects is deleted; 0: no

  std::string wave_label = "ferryman.dev/drain-wave";  // an integer; lower goes first; 0 when it is absent
  std::vector<std::int32_t> wave_priorities = {2'000'000'000};  // each begins a further wave

  double delete_phase_at = 0.8;  // share of the time after which refused evictions become deletes
  /// And what still terminates is deleted with grace 1; 0: the last tenth, 30 s at most.
  double force_phase_at = 0;
  bool force_grace_zero = false;  // in the force phase grace 0: not confirmed by the kubelet

  Duration volume_wait = std::chrono::seconds{60};  // for VolumeAttachments, when a lifecycle hook waits
  bool no_execute_after = false;                    // taint NoExecute once the node is drained
  bool out_of_service = false;  // taint node.kubernetes.io/out-of-service once EC2 says that it is off
  bool delete_node = false;     // the Node object and its ghosts, once EC2 says that the instance is gone
  bool undo_failed = false;     // a voluntary end whose drain did not get done takes its marks back
};

}  // namespace ferryman::termination
