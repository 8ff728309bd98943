// SPDX-License-Identifier: Apache-2.0
// FakePod: a pod and how it behaves when it is asked to go.
#pragma once

#include <optional>
#include <string>

#include "termination/ports/cluster.h"

namespace ferryman::test {

class FakePod {
 public:
  FakePod() = default;
  /// In namespace "shop", running, its UID is "uid-" and the name.
  FakePod(const std::string& name, std::string node_in) : node(std::move(node_in)) {
    pod.key.pod_namespace = "shop";
    pod.key.name = name;
    pod.key.uid = Uid("uid-" + name);
    pod.phase = "Running";
    pod.owner_kind = "ReplicaSet";
    pod.owner_name = "shop";
  }

  FakePod&& refused(int times) && { return refusals = times, std::move(*this); }
  FakePod&& ends_after(std::optional<Duration> duration) && { return takes = duration, std::move(*this); }
  FakePod&& owned_by(std::string kind) && { return pod.owner_kind = std::move(kind), std::move(*this); }
  FakePod&& in_phase(std::string phase) && { return pod.phase = std::move(phase), std::move(*this); }
  FakePod&& with_grace(std::chrono::seconds grace) && { return pod.grace = grace, std::move(*this); }

  /// What a refusal says, instead of a budget's "not now".
  FakePod&& answering(termination::Eviction answer) && {
    return refusal = std::move(answer), std::move(*this);
  }
  /// Uses the PersistentVolumeClaim of this name in its namespace.
  FakePod&& with_claim(std::string claim) && {
    pod.volume_claims.push_back(std::move(claim));
    return std::move(*this);
  }

  termination::Pod pod;
  std::string node;
  int refusals = 0;  // so often a budget refuses; -1: always
  termination::Eviction refusal{termination::EvictionAnswer::blocked,
                                "the disruption budget shop needs 2 healthy pods"};
  std::optional<Duration> takes =
      std::chrono::seconds{2};  // from the request to its end; empty: it never ends
};

}  // namespace ferryman::test
