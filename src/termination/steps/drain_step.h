// SPDX-License-Identifier: Apache-2.0
// DrainStep: empties one Node. One loop over a table of pods; the calls run beside it, a few at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/scope.h"
#include "termination/context.h"
#include "termination/drain/schedule.h"

namespace ferryman::termination::steps {

class DrainOutcome {
 public:
  DrainOutcome() = default;

  bool empty = false;             // every pod that the plan chose is gone by UID, by a fresh LIST
  std::vector<std::string> left;  // else: "namespace/name: why it is still there"
};

/// Shared with the calls that it starts: they may end after the deadline that ended `run`.
class DrainStep : public std::enable_shared_from_this<DrainStep> {
 public:
  /// The calls run in `calls`, whose owner cancels and joins it.
  DrainStep(Context& context, Cluster& cluster, Scope& calls, Log log);

  /// Ends when the node is empty or at plan.deadline.
  Task<DrainOutcome> run(std::string node_name, Plan plan);

  /// Pods that take traffic on this node are not evicted before, unless their deadline comes nearer. Asked
  /// while `run` runs: what is known of load balancers changes.
  void hold_traffic(std::function<SteadyTime()> quiet_at, std::vector<LocalService> services) {
    quiet_at_ = std::move(quiet_at);
    services_ = std::move(services);
  }

  /// A later event changed the deadlines.
  void replan(const Plan& plan);

  /// Pods that are not gone yet; for the status page.
  [[nodiscard]] std::size_t pods_left() const;

 private:
  class PodCall;

  Task<std::shared_ptr<PodView>> open_view(const std::string& node_name);
  void take_stock();
  void take_in(const Pod& pod);
  void start_moves();
  [[nodiscard]] bool others_left() const;
  [[nodiscard]] bool all_gone() const;
  [[nodiscard]] SteadyTime wake_at() const;
  Task<bool> list_anew();
  static Task<void> evict(std::shared_ptr<DrainStep> self, PodKey key);
  static Task<void> remove(std::shared_ptr<DrainStep> self, PodKey key, std::chrono::seconds grace,
                           bool forced);
  void note_removed(drain::PodRow& row, const Result<void>& answer, bool forced);
  void trust(drain::PodRow& row);
  drain::PodRow* call_ended(const Uid& uid);
  void note_evicted(drain::PodRow& row, const Result<Eviction>& answer);
  void refuse(drain::PodRow& row, std::string reason, Duration retry_after);
  [[nodiscard]] DrainOutcome outcome(bool proven) const;

  Context& context_;
  Cluster& cluster_;
  Scope& calls_;
  Log log_;
  Plan plan_;
  std::function<SteadyTime()> quiet_at_;
  std::vector<LocalService> services_;
  std::shared_ptr<PodView> view_;
  std::map<Uid, drain::PodRow> rows_;
  std::size_t in_flight_ = 0;
  SteadyTime listed_{};
  bool stale_ = false;  // a call said "gone" and the view does not know it yet: list again
};

}  // namespace ferryman::termination::steps
