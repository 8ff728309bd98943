// SPDX-License-Identifier: Apache-2.0
// When a pod is asked to go, and how hard. Pure: rows, plan and time in, a move out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "termination/drain/rules.h"
#include "termination/plan.h"
#include "termination/ports/cluster.h"

namespace ferryman::termination::drain {

enum class Move : std::uint8_t {
  none,
  evict,   // budgets decide
  remove,  // DELETE with the pod's own grace, cut to the time left
  force,   // DELETE with grace 1: the kubelet still confirms the end
};

/// One pod of a draining node. A pod is a row, not a coroutine.
class PodRow {
 public:
  PodRow() = default;

  Pod pod;
  Verdict verdict;
  bool own = false;         // our own pod: goes when no other is left
  SteadyTime held_until{};  // it takes traffic on this node: load balancers may send some until then
  bool in_flight = false;   // a call about it runs
  bool asked = false;       // an eviction or delete was accepted: it should terminate
  bool forced = false;
  int refusals = 0;
  SteadyTime next_attempt{};
  std::string last_reason;  // why it is still there
};

Move next_move(const PodRow& row, const Plan& plan, const Policy& policy, SteadyTime now);

/// What a DELETE in the phase `remove` gives the pod: its own grace, at most what is left before the margin,
/// at least 1 s.
std::chrono::seconds capped_grace(const PodRow& row, const Plan& plan, const Policy& policy, SteadyTime now);

/// When the row may next be moved by itself (a phase begins, a back-off ends); the drain sleeps until the
/// earliest.
SteadyTime next_look(const PodRow& row, const Plan& plan, const Policy& policy, SteadyTime now);

}  // namespace ferryman::termination::drain
