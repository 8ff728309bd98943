// SPDX-License-Identifier: Apache-2.0
// When a pod is asked to go, and how hard. Pure: row, plan and time in, a move out.
#pragma once

#include <string>

#include "termination/drain/row.h"
#include "termination/plan.h"

namespace ferryman {
class Random;
}

namespace ferryman::termination::drain {

/// The pod's own, or the setting's; not 0, which would take it out of the API before its kubelet has ended
/// it.
std::chrono::seconds given_grace(const Pod& pod, const DrainPolicy& policy);

/// One pod's times under a plan. `ahead`: an earlier wave is not gone yet.
class Schedule {
 public:
  Schedule(const Plan& plan, const Policy& policy, Moment now)
      : plan_(plan), policy_(policy), now_(now.steady), wall_now_(now.wall) {}

  [[nodiscard]] Move next_move(const PodRow& row, bool ahead) const;

  /// Why a pod that is to go was not asked yet; empty: it was, or is not to be.
  [[nodiscard]] std::string why_not_asked(const PodRow& row, bool ahead) const;

  /// When the row may next be moved by itself (a phase begins, a back-off ends); the drain sleeps until the
  /// earliest.
  [[nodiscard]] SteadyTime next_look(const PodRow& row) const;

  /// deadline − grace − margin, a little earlier: the call takes its time.
  [[nodiscard]] SteadyTime latest_start(const PodRow& row) const;

  /// What a move gives the pod; empty: its own grace. In `remove`, and in an eviction as late as that, at
  /// most what is left before the margin, at least 1 s.
  [[nodiscard]] std::optional<std::chrono::seconds> grace_for(const PodRow& row, Move move) const;

 private:
  [[nodiscard]] std::chrono::seconds grace_of(const PodRow& row) const;
  [[nodiscard]] SteadyTime ask_from(const PodRow& row) const;
  [[nodiscard]] SteadyTime remove_from(const PodRow& row) const;
  [[nodiscard]] Move hardest_due(const PodRow& row) const;
  [[nodiscard]] bool is_held(const PodRow& row) const;
  [[nodiscard]] bool unready_too_long(const PodRow& row) const;

  const Plan& plan_;
  const Policy& policy_;
  SteadyTime now_;
  WallTime wall_now_;
};

/// Before attempt n + 1 of an eviction that a budget refuses: 1, 2, 4, … 32 s, ± 20 %. Room in the budget
/// wakes it earlier.
Duration budget_back_off(int refusals, Random& random);

}  // namespace ferryman::termination::drain
