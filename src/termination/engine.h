// SPDX-License-Identifier: Apache-2.0
// Engine: the product as one object. Owns every loop and every termination; the ports and the clock outlive
// it.
#pragma once

#include <string>
#include <vector>

#include "base/scope.h"
#include "termination/ghosts.h"
#include "termination/intake.h"
#include "termination/queue_check.h"
#include "termination/reconciler.h"
#include "termination/status_poll.h"
#include "termination/waiting_hooks.h"

namespace ferryman::termination {

class Engine {
 public:
  Engine(Clock& clock, Random& random, Log log, Policy policy, Ports ports);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Starts the loops; they run until `stop`.
  void start();

  /// No new messages; running work gets to a durable point (a claim on the Node), then everything ends and
  /// what is still held goes back to the queue. Over at the deadline at the latest. The Engine may be
  /// destroyed afterwards.
  Task<void> stop(Deadline deadline);

  /// Ends when the queue turns out to be one that cannot be used, and gives why, with the cure: then stop.
  /// Otherwise it runs until cancelled.
  Task<std::string> refused() { return check_.refused(); }
  [[nodiscard]] bool queue_reachable() const { return intake_.reachable(); }
  /// Why the queue is not reachable; empty when it is.
  [[nodiscard]] const std::string& queue_trouble() const { return intake_.trouble(); }
  [[nodiscard]] const Metrics& metrics();
  [[nodiscard]] std::vector<TerminationStatus> status() const { return registry_.status(); }
  [[nodiscard]] const std::deque<FinishedTermination>& finished() const { return registry_.finished(); }
  /// New work is paused by the ConfigMap.
  [[nodiscard]] bool paused() const { return crew_.pause.on(); }
  /// How many terminations and other coroutines ended by a bug. Always 0 in a sound program.
  [[nodiscard]] std::uint64_t failures() const;

 private:
  Task<void> receive(int poller);

  Policy policy_;
  Metrics metrics_;
  Context context_;
  QueueCheck check_;
  Scope sources_;  // of new work: intake and reconciliation
  Scope loops_;    // heartbeats, visibility, load balancers: they go on while work ends
  Scope work_;     // one child per termination
  Scope calls_;    // short calls beside them
  HookCatalog catalog_;
  Heartbeats heartbeats_;
  HeldMessages held_;
  balancers::PoolCalls pool_calls_;
  balancers::Rights rights_;
  balancers::Membership membership_;
  balancers::Departures departures_;
  Crew crew_;
  Registry registry_;
  Launches launches_;
  Dispatch dispatch_;
  StatusPoll status_poll_;
  WaitingHooks waiting_hooks_;
  Ghosts ghosts_;
  Intake intake_;
  Reconciler reconciler_;
};

}  // namespace ferryman::termination
