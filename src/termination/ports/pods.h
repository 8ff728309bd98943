// SPDX-License-Identifier: Apache-2.0
// Pods of a node that ends, and what the API server answers when one is asked to go.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/task.h"
#include "base/time.h"

namespace ferryman::termination {

class PodKey {
 public:
  PodKey() = default;

  std::string pod_namespace;
  std::string name;
  Uid uid;
};

class Pod {
 public:
  Pod() = default;

  PodKey key;
  std::string phase;       // "Pending", "Running", "Succeeded", "Failed"
  std::string owner_kind;  // of the controlling owner; empty when there is none
  std::string owner_name;
  bool mirror = false;              // a static pod's image in the API: cannot be evicted
  bool terminating = false;         // has a deletionTimestamp
  std::optional<WallTime> ends_by;  // deletionTimestamp: when its grace is over
  bool host_network = false;
  bool host_ports = false;                // a container that listens on a port of the node
  bool empty_dir = false;                 // has a volume that ends with it
  bool crash_looping = false;             // a container waits to be started again because it keeps failing
  bool forced_ends_only = false;          // annotation ferryman.dev/forced-ends-only: not for a voluntary end
  bool do_not_disrupt = false;            // the like annotations of others; see marks.h
  std::optional<Duration> wait_up_to;     // annotation ferryman.dev/wait-up-to
  std::string misread;                    // an annotation of ours that cannot be read, in words; else empty
  std::optional<WallTime> unready_since;  // condition Ready is False since then; empty: Ready, or unknown
  std::chrono::seconds grace{30};         // spec.terminationGracePeriodSeconds
  std::int32_t priority = 0;
  std::map<std::string, std::string> labels;
  std::vector<std::string> addresses;      // status.podIPs; the node's own when host_network
  std::vector<std::string> volume_claims;  // names of its PersistentVolumeClaims
};

/// The pods of one Node, kept up to date while it lives. A pod that disappears or whose name comes back with
/// another UID is gone. Readiness and phase are as of the last list.
class PodView {
 public:
  virtual ~PodView() = default;

  /// All pods of the Node that are not gone, by namespace and name.
  [[nodiscard]] virtual const std::vector<Pod>& pods() const = 0;
  [[nodiscard]] virtual bool gone(const Uid& uid) const = 0;
  /// Lists the Node's pods anew: the proof before a completion.
  virtual Task<Result<void>> refresh(Deadline deadline) = 0;
  /// Notified whenever `pods` changes.
  virtual Signal& changed() = 0;
};

/// https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/
enum class EvictionAnswer : std::uint8_t {
  accepted,        // 201: the pod terminates now
  gone,            // 404, or another pod has the name now (UID conflict)
  blocked,         // 429 with cause DisruptionBudget, or 403 that names a budget: not now
  doubly_blocked,  // 500: more than one PodDisruptionBudget covers it; no eviction can ever succeed
  leaving,         // 403 with cause NamespaceTerminating: it goes with its namespace
};

class Eviction {
 public:
  Eviction() = default;
  Eviction(EvictionAnswer answer_in, std::string reason_in)
      : answer(answer_in), reason(std::move(reason_in)) {}

  EvictionAnswer answer = EvictionAnswer::accepted;
  std::string reason;                        // unless accepted: the API server's words
  std::chrono::milliseconds retry_after{0};  // for blocked: 0 when none was named
};

}  // namespace ferryman::termination
