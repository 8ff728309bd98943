// SPDX-License-Identifier: Apache-2.0
// Termination: the work for one instance. Steps in order: resolve, cordon, deregister, drain, settle,
// complete; heartbeats run beside them. Later events of the same instance join it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "termination/cordon_barrier.h"
#include "termination/heartbeat.h"
#include "termination/instance_lookup.h"
#include "termination/local_services.h"
#include "termination/steps/claim_step.h"
#include "termination/steps/complete_step.h"
#include "termination/steps/deregister_step.h"
#include "termination/steps/drain_step.h"

namespace ferryman::termination {

/// What all terminations share. Owned by the engine.
class Crew {
 public:
  Crew(Context& context_in, Ports ports_in, HookCatalog& catalog_in, Heartbeats& heartbeats_in,
       HeldMessages& held_in, balancers::Membership& membership_in, balancers::Departures& departures_in,
       Scope& calls_in)
      : context(context_in),
        ports(ports_in),
        catalog(catalog_in),
        heartbeats(heartbeats_in),
        held(held_in),
        membership(membership_in),
        departures(departures_in),
        calls(calls_in),
        lookup(context_in, ports_in.cloud, calls_in),
        services(context_in, ports_in.cluster),
        barrier(context_in.clock) {}

  Context& context;
  Ports ports;
  HookCatalog& catalog;
  Heartbeats& heartbeats;
  HeldMessages& held;
  balancers::Membership& membership;
  balancers::Departures& departures;
  Scope& calls;
  InstanceLookup lookup;
  LocalServices services;
  CordonBarrier barrier;
};

class TerminationStatus {
 public:
  TerminationStatus() = default;

  InstanceId instance_id;
  std::string node;
  Phase phase = Phase::resolve;
  std::size_t pods_left = 0;
  WallTime started;
  WallTime deadline;
};

class Termination {
 public:
  Termination(Crew& crew, InstanceId instance_id);
  Termination(const Termination&) = delete;
  Termination& operator=(const Termination&) = delete;
  ~Termination();

  /// Takes over an event and its message, before or while `run` runs. Its heartbeats start at once.
  void join(const Event& event, HeldMessagePtr message);
  /// False once the work is over but for its last write: a new event starts a new termination then.
  [[nodiscard]] bool accepts_events() const { return !closing_; }
  /// Takes over what a claim says; before `run`.
  void resume(Claim claim);

  Task<TerminationResult> run();

  /// For an end by a bug or a stop: messages that are not durable go back, heartbeats end.
  void abandon(MessageOutcome outcome);

  /// All events that it holds; remembered as handled when it is over.
  [[nodiscard]] const std::vector<Event>& events() const { return claim_.claim().events; }
  [[nodiscard]] const InstanceId& instance_id() const { return instance_id_; }
  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] TerminationStatus status() const;

 private:
  void enter(Phase phase);
  void keep_alive(const Event& event);
  Task<void> resolve();
  Task<steps::ClaimWrite> cordon();
  Task<void> deregister();
  Task<void> hold_traffic();
  Task<TerminationResult> drain();
  Task<void> wait_until_out();
  Task<TerminationResult> settle(TerminationResult so_far);
  void replan();
  [[nodiscard]] Deadline deregister_by() const;
  Task<TerminationResult> complete(TerminationResult so_far);
  Task<bool> complete_actions();
  [[nodiscard]] std::vector<LifecycleAction> our_actions() const;
  Task<void> persist_joined();
  void report(TerminationResult result) const;

  Crew& crew_;
  Context& context_;
  InstanceId instance_id_;
  Log log_;
  steps::ClaimStep claim_;
  std::shared_ptr<steps::DrainStep> drain_;
  steps::DeregisterStep deregister_;
  steps::CompleteStep complete_;
  Cordoning cordoning_;
  Plan plan_;
  Phase phase_ = Phase::resolve;
  bool closing_ = false;
};

}  // namespace ferryman::termination
