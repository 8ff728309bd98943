// SPDX-License-Identifier: Apache-2.0
// Heartbeats: one table of lifecycle actions that are kept alive, one loop over it. Each action is beaten at
// 0.4 of its hook's timeout ± 10 %, nearest to expiry first, whatever the rest of its termination waits for.
// https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_RecordLifecycleActionHeartbeat.html
#pragma once

#include <map>
#include <utility>

#include "base/scope.h"
#include "termination/context.h"
#include "termination/hook_catalog.h"

namespace ferryman::termination {

class Heartbeats {
 public:
  /// The calls run in `calls`, whose owner cancels and joins it.
  Heartbeats(Context& context, Cloud& cloud, HookCatalog& catalog, Scope& calls);

  /// Adding the same instance and hook again changes nothing. `since`: when the hook began to wait.
  void add(const LifecycleAction& action, WallTime since);
  void remove(const LifecycleAction& action);
  /// Hooks became known: what was due by the assumed timeout may wait for its own.
  void hooks_known();

  /// True when Auto Scaling said that the action waits no more (timed out, completed by another).
  [[nodiscard]] bool over(const LifecycleAction& action) const;
  [[nodiscard]] std::size_t size() const { return table_.size(); }

  /// Runs until cancelled.
  Task<void> run();

 private:
  class InFlight;
  using Key = std::pair<InstanceId, std::string>;  // instance and hook

  struct Row {
    LifecycleAction action;
    SteadyTime beaten;  // when the timeout last started anew
    SteadyTime due;
    bool in_flight = false;
    bool over = false;
    bool beaten_by_us = false;
    int failures = 0;
  };

  [[nodiscard]] Duration timeout_of(const LifecycleAction& action) const;
  [[nodiscard]] Row* most_urgent(SteadyTime now);
  [[nodiscard]] SteadyTime earliest_due() const;
  Task<void> beat(Key key);
  Task<void> learn_timeout(LifecycleAction action);
  Task<bool> still_waits(LifecycleAction action);
  void settle(Row& row, SteadyTime sent, const Result<void>& answer, bool waits);
  void retry(Row& row, const Error& error);

  Context& context_;
  Cloud& cloud_;
  HookCatalog& catalog_;
  Scope& calls_;
  Signal changed_;
  std::size_t in_flight_ = 0;
  std::map<Key, Row> table_;
};

/// True for the states in which a lifecycle hook holds the instance: "Terminating:Wait", "Pending:Wait", and
/// their warm-pool forms.
bool is_waiting(std::string_view lifecycle_state);

}  // namespace ferryman::termination
