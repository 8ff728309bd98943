// SPDX-License-Identifier: Apache-2.0
// PodRow: one pod of a draining node, and all that is known of its going. A pod is a row, not a coroutine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "termination/drain/rules.h"
#include "termination/ports/cluster.h"

namespace ferryman::termination::drain {

/// What is done about a pod now; a later one is harder.
enum class Move : std::uint8_t {
  none,
  evict,   // budgets decide
  remove,  // DELETE with the pod's own grace, cut to the time left
  force,   // DELETE with grace 1: the kubelet still confirms the end; grace 0 when none is there to do so
};

/// What happened to a pod, for the report.
class PodStory {
 public:
  PodStory() = default;

  std::optional<WallTime> asked;    // its eviction, or a first delete, was accepted
  std::optional<WallTime> deleted;  // by DELETE, with its own grace as far as it fits
  std::optional<WallTime> forced;   // by DELETE with grace 1, or 0
  std::optional<WallTime> gone;
  std::chrono::seconds grace{0};  // that it was given
  std::string refused_by;         // the budgets, or the words of the API server
};

class PodRow {
 public:
  PodRow() = default;

  /// Nobody waits for it, and it is no obstacle.
  [[nodiscard]] bool indifferent() const {
    return verdict.treatment == Treatment::skip || verdict.treatment == Treatment::refuse ||
           (verdict.treatment == Treatment::sweep && (asked || refusals > 0));
  }

  Pod pod;
  Verdict verdict;
  std::int32_t wave = 0;     // lower goes first
  bool own = false;          // our own pod: goes when no other is left
  bool unreachable = false;  // its kubelet does not answer
  SteadyTime held_until{};   // it takes traffic on this node: load balancers may send some until then
  bool in_flight = false;    // a call about it runs
  bool asked = false;        // an eviction or delete was accepted: it should terminate
  bool forced = false;
  int refusals = 0;
  bool blocked = false;       // a budget refused it last: room in the budget wakes it
  bool doubly = false;        // more than one budget takes it
  bool named = false;         // why it stays was told
  bool misread_told = false;  // an annotation of ours on it cannot be read, and that was told
  bool noted = false;         // its volumes were
  Move tried = Move::none;    // the latest call about it
  SteadyTime refused_at{};
  SteadyTime next_attempt{};  // of the same move; a harder one that is due does not wait for it
  std::string last_reason;    // why it is still there
  PodStory story;
};

/// "namespace/name".
std::string full_name(const Pod& pod);

}  // namespace ferryman::termination::drain
