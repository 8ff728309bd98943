// SPDX-License-Identifier: Apache-2.0
// Notices: what a termination tells those who listen (Kubernetes events, webhooks). Subscribers live in
// src/notify; they must return at once and never hold up the work.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "termination/ports/pods.h"

namespace ferryman::termination {

/// Stable: each is the reason of a Kubernetes event and a name in webhooks and documentation.
enum class NoticeKind : std::uint8_t {
  event_ignored,        // an event of ours whose action is `ignore`
  termination_started,  // the end of an instance was taken over
  node_marked,          // tainted, or cordoned
  pod_blocked,          // a budget refuses the pod's eviction: which, and what its owner could change
  pod_refused,          // a setting or annotation keeps the pod from being asked
  pod_deleted,          // deleted because its time was over, against its budget or with grace 1
  pods_left,            // the final deadline came: which pods were there still
  targets_left,         // and which load balancers held the node still
  volumes_left,         // and which volumes were attached still
  node_drained,         // every chosen pod is gone
  termination_finished,
  termination_cancelled,  // the instance stays: our marks were taken back
  node_deleted,           // the Node object of an instance that is gone was removed
};
inline constexpr std::size_t notice_kinds = 13;

/// The event's reason; docs/operations.md says what each means and what to do.
constexpr std::string_view reason_of(NoticeKind kind) {
  constexpr std::array<std::string_view, notice_kinds> reasons{"EventIgnored",
                                                               "TerminationStarted",
                                                               "NodeCordoned",
                                                               "PodEvictionBlocked",
                                                               "PodKept",
                                                               "PodDeleted",
                                                               "PodsLeft",
                                                               "TargetsLeft",
                                                               "VolumesLeft",
                                                               "NodeDrained",
                                                               "TerminationFinished",
                                                               "TerminationCancelled",
                                                               "NodeDeleted"};
  return reasons.at(static_cast<std::size_t>(kind));
}

/// Something was lost or somebody should act.
constexpr bool is_warning(NoticeKind kind) {
  return kind >= NoticeKind::pod_blocked && kind <= NoticeKind::volumes_left;
}

/// The kinds about one pod; all others are about the Node.
constexpr bool is_about_pod(NoticeKind kind) {
  return kind >= NoticeKind::pod_blocked && kind <= NoticeKind::pod_deleted;
}

class Notice {
 public:
  Notice() = default;
  Notice(NoticeKind kind_in, InstanceId instance_id_in, std::string text_in)
      : kind(kind_in), instance_id(std::move(instance_id_in)), text(std::move(text_in)) {}

  NoticeKind kind = NoticeKind::termination_started;
  InstanceId instance_id;
  std::string node;  // empty: the instance has no Node
  Uid node_uid;
  PodKey pod;              // for pod_…: which
  std::string text;        // one sentence for people, with the cure where there is one
  std::string event_kind;  // of the event that started the termination: "spot-interruption"
  std::string event_id;
  WallTime at;
};

class Notices {
 public:
  Notices() = default;
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;
  virtual ~Notices() = default;

  /// Takes a copy and returns at once; what cannot be told is lost, and counted.
  virtual void tell(const Notice& notice) = 0;
};

}  // namespace ferryman::termination
