// SPDX-License-Identifier: Apache-2.0
// DrainStep: empties one Node. One loop over a table of pods (drain/table.h); the calls (drain/asker.h) run
// beside it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "termination/drain/asker.h"
#include "termination/drain/report.h"

namespace ferryman::termination::steps {

class DrainOutcome {
 public:
  DrainOutcome() = default;

  bool empty = false;        // every pod that the plan chose is gone by UID, by a fresh LIST
  drain::NodeReport report;  // what became of each
};

class DrainStep {
 public:
  DrainStep(Context& context, drain::Aids& aids, std::shared_ptr<Narrator> narrator, Log log);
  DrainStep(const DrainStep&) = delete;
  DrainStep& operator=(const DrainStep&) = delete;
  ~DrainStep() { asker_->close(); }

  /// Ends when the node is empty or at plan.deadline.
  Task<DrainOutcome> run(Node node, Plan plan);

  /// See drain::Table.
  void hold_traffic(std::function<SteadyTime()> quiet_at, std::vector<LocalService> services) {
    table().hold_traffic(std::move(quiet_at), std::move(services));
  }

  /// Told of the pods that are going to leave, each once, before they are asked.
  void on_leaving(std::function<void(std::vector<Pod>)> tell) { tell_leaving_ = std::move(tell); }

  /// A later event changed the deadlines.
  void replan(const Plan& plan);

  /// Pods that are not gone yet; for the status page.
  [[nodiscard]] std::size_t pods_left() const { return asker_->table().left(); }
  /// "pod shop/web-1: budget shop/web: …" for each of them, and why they cannot be listed.
  [[nodiscard]] std::vector<std::string> waits_for() const;

 private:
  drain::Table& table() const { return asker_->table(); }
  Task<bool> open_view();
  Task<bool> list_anew(Duration pause);
  void note_unlisted(const Error& error, Duration pause);
  Task<void> wait(SteadyTime last_look);
  void take_stock();
  [[nodiscard]] bool is_replaced(const Node* node) const;
  void note_leaving();
  DrainOutcome outcome(bool proven);

  Context& context_;
  drain::Aids& aids_;
  Log log_;
  std::shared_ptr<drain::Asker> asker_;
  Node node_;
  std::shared_ptr<PodView> view_;
  drain::NodeReport report_;
  std::shared_ptr<const std::set<std::string>> daemon_sets_;  // null: not known
  std::function<void(std::vector<Pod>)> tell_leaving_;
  SteadyTime listed_{};
  std::string unlisted_;      // why the latest list failed
  bool denial_said_ = false;  // that we may not list pods
};

}  // namespace ferryman::termination::steps
