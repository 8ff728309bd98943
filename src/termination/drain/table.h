// SPDX-License-Identifier: Apache-2.0
// Table: the pods of one draining node as rows: judged, put into waves, and whose turn it is. No calls.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "termination/drain/schedule.h"

namespace ferryman::termination::drain {

/// What is known about the node while its pods are looked at.
class Sight {
 public:
  Sight() = default;

  Moment now;
  bool unreachable = false;                            // its Ready is Unknown: no kubelet answers
  bool replaced = false;                               // another instance's Node has its name now
  const std::set<std::string>* daemon_sets = nullptr;  // "namespace/name"; null: not known
};

/// A pod's wave: those with lower numbers go first. DaemonSet pods that were chosen come behind all others,
/// our own pod behind these.
std::int32_t wave_of(const Pod& pod, const Verdict& verdict, const Policy& policy);
/// What is wrong with its wave label; empty: nothing.
std::string misread_wave(const Pod& pod, const Policy& policy);

class Turn {
 public:
  Turn(PodRow& row_in, Move move_in) : row(&row_in), move(move_in) {}

  PodRow* row;
  Move move;
};

class Table {
 public:
  /// The policy must outlive the table.
  explicit Table(const Policy& policy) : policy_(policy) {}

  void set_plan(const Plan& plan) { plan_ = plan; }
  /// Pods that take traffic on this node are not asked to go before `quiet_at`, unless their deadline comes
  /// nearer. Asked at each look: what is known of load balancers changes.
  void hold_traffic(std::function<SteadyTime()> quiet_at, std::vector<LocalService> services);

  /// Rows follow the view: new pods are judged, gone ones leave the table and are given back. On a Node that
  /// was replaced a new pod is another instance's.
  std::vector<PodRow> follow(const PodView& view, const Sight& sight);

  /// At most so many, those of earlier waves first. The rows stay the table's.
  std::vector<Turn> turns(Moment now, std::size_t most);
  /// When to look again although nothing changed.
  [[nodiscard]] SteadyTime next_look(Moment now) const;

  /// Pods that are waited for and not gone.
  [[nodiscard]] std::size_t left() const;
  /// "pod shop/web-1: why it is still there", for each of them.
  [[nodiscard]] std::vector<std::string> waits_for(Moment now) const;
  PodRow* find(const Uid& uid);
  std::map<Uid, PodRow>& rows() { return rows_; }
  [[nodiscard]] const std::map<Uid, PodRow>& rows() const { return rows_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }

 private:
  void take_in(const Pod& pod, const Sight& sight);
  void judge_again(PodRow& row, const Sight& sight, bool known);
  [[nodiscard]] bool is_successor(const Pod& pod) const;
  [[nodiscard]] bool keeps_coming_back(const Pod& pod) const;
  [[nodiscard]] std::int32_t first_wave() const;

  const Policy& policy_;
  Plan plan_;
  std::function<SteadyTime()> quiet_at_;
  std::vector<LocalService> services_;
  std::map<Uid, PodRow> rows_;
  /// Of one controller's pods, how many came before the first had gone, and how many have gone because we
  /// asked.
  class Rounds {
   public:
    Rounds() = default;
    int first = 0;
    int sent_off = 0;
  };
  std::map<std::string, Rounds> rounds_;  // by "kind/namespace/name"
  std::set<std::string> deleted_sets_;    // DaemonSets whose pod was deleted here: what comes next stays
};

}  // namespace ferryman::termination::drain
