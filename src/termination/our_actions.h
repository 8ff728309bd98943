// SPDX-License-Identifier: Apache-2.0
// OurActions: the lifecycle actions of one termination whose hooks are ours: kept alive while the work goes
// on, completed once at its end. Another's hook is neither.
#pragma once

#include <vector>

#include "termination/heartbeat.h"
#include "termination/plan.h"
#include "termination/steps/complete_step.h"

namespace ferryman::termination {

class OurActions {
 public:
  /// All outlive this; events join while the work goes on.
  OurActions(Context& context, Heartbeats& heartbeats, HookCatalog& catalog, const std::vector<Event>& events)
      : context_(context), heartbeats_(heartbeats), catalog_(catalog), events_(events) {}

  /// Asks for the hooks of all groups, another's too: their timeouts bound the work.
  Task<void> learn_hooks(Deadline deadline);
  [[nodiscard]] std::vector<LifecycleHook> known_hooks() const;

  void keep_alive(const Event& event);
  /// Completes each, one that joins meanwhile too. False when one was lost.
  Task<bool> complete(steps::CompleteStep& step, CompletionResult result, const Plan& plan);
  /// Heartbeats end; Auto Scaling does what the hooks' own default result says.
  void abandon();
  [[nodiscard]] std::vector<LifecycleAction> all() const;

 private:
  Context& context_;
  Heartbeats& heartbeats_;
  HookCatalog& catalog_;
  const std::vector<Event>& events_;
};

}  // namespace ferryman::termination
