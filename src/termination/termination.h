// SPDX-License-Identifier: Apache-2.0
// Termination: the work for one instance. Steps in order: resolve, cordon, deregister, drain, settle,
// complete; heartbeats run beside them. Later events of the same instance join it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "termination/crew.h"
#include "termination/evacuation.h"
#include "termination/our_actions.h"
#include "termination/steps/complete_step.h"
#include "termination/steps/find_step.h"
#include "termination/steps/take_back_step.h"
#include "termination/steps/turn_step.h"

namespace ferryman::termination {

class TerminationStatus {
 public:
  TerminationStatus() = default;

  InstanceId instance_id;
  std::string node;
  Phase phase = Phase::resolve;
  std::size_t pods_left = 0;
  std::vector<std::string> waits_for;  // "pod shop/web-1: budget shop/web: …"; empty: nothing but time
  WallTime started;
  WallTime deadline;
};

/// Shared with the writes that it starts beside its steps.
class Termination : public std::enable_shared_from_this<Termination> {
 public:
  Termination(Crew& crew, InstanceId instance_id);
  Termination(const Termination&) = delete;
  Termination& operator=(const Termination&) = delete;

  /// Takes over an event and its message (null: it came without one), before or while `run` runs. It may
  /// raise the action and shorten the deadlines. Its heartbeats start at once.
  void join(const Event& event, HeldMessagePtr message, Action action);
  /// AWS cancelled the plan. Without another reason the work ends and our marks are taken back.
  void cancel_plan(const std::string& plan, HeldMessagePtr message);
  /// The instance stays after all: the work ends and our marks are taken back.
  void take_back(std::string reason);
  /// False once the work is over but for its last write: a new event starts a new termination then.
  [[nodiscard]] bool accepts_events() const { return !closing_ && take_back_because_.empty(); }
  /// A new event waits for the undoing to end: what is not registered again by now is left to it.
  void hurry() { take_back_.hurry(); }
  /// Takes over what a claim says; before `run`.
  void resume(Claim claim);
  /// Another end of the same instance closed this claim: its marks are still ours; before `run`.
  void inherit(const Claim& earlier) { claim_.inherit(earlier); }

  Task<TerminationResult> run();

  /// For an end by a bug or a stop: messages that are not durable go back, heartbeats end.
  void abandon(MessageOutcome outcome);

  /// All events that it holds; remembered as handled when it is over.
  [[nodiscard]] const std::vector<Event>& events() const { return claim_.claim().events; }
  [[nodiscard]] const Claim& claim() const { return claim_.claim(); }
  [[nodiscard]] const InstanceId& instance_id() const { return instance_id_; }
  [[nodiscard]] Phase phase() const { return phase_; }
  /// Everything that it took over is on the Node, or it waits for one: a stop loses nothing.
  [[nodiscard]] bool durable() const {
    if (phase_ == Phase::wait) return !claim_.has_unwritten();
    return phase_ == Phase::find || phase_ > Phase::cordon;
  }
  [[nodiscard]] Action action() const { return action_; }
  [[nodiscard]] TerminationStatus status() const;

 private:
  void enter(Phase phase) {
    phase_ = phase;
    log_.debug("termination.phase", {{"phase", name_of(phase)}});
  }
  void replan();
  Task<TerminationResult> work();
  Task<void> resolve();
  Task<steps::Finding> find_node();
  Task<void> wait_for_turn();
  Task<TerminationResult> empty_node();
  Task<steps::ClaimWrite> cordon();
  Task<void> deregister();
  static Task<void> watch_whether_off(std::shared_ptr<Termination> self);
  Task<TerminationResult> drain();
  Task<TerminationResult> settle(TerminationResult so_far);
  [[nodiscard]] bool should_undo(TerminationResult result) const;
  Task<TerminationResult> go_without_node();
  static Task<void> persist_joined(std::shared_ptr<Termination> self);
  Task<TerminationResult> complete(TerminationResult so_far,
                                   CompletionResult answer = CompletionResult::proceed);
  Task<void> undo();

  Crew& crew_;
  Context& context_;
  InstanceId instance_id_;
  Log log_;
  steps::ClaimStep claim_;
  OurActions actions_;
  steps::FindStep find_;
  steps::CompleteStep complete_;
  Plan plan_;
  std::shared_ptr<Narrator> narrator_;
  Evacuation evacuation_;
  steps::TurnStep turn_;
  steps::TakeBackStep take_back_;
  std::optional<Cordoning> cordoning_;
  Action action_ = Action::ignore;
  Phase phase_ = Phase::resolve;
  bool closing_ = false;
  std::optional<SteadyTime> off_since_;  // EC2 said that the instance is off
  std::string take_back_because_;        // not empty: the work ends, our marks are taken back
  std::vector<HeldMessagePtr> settled_at_the_end_;
};

}  // namespace ferryman::termination
