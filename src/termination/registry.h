// SPDX-License-Identifier: Apache-2.0
// Registry: at most one termination per instance. Events find theirs here; finished work is remembered, so
// that a message that comes again is answered without a call.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "termination/memory.h"
#include "termination/termination.h"

namespace ferryman::termination {

/// A termination that is over; for the status page.
class FinishedTermination {
 public:
  FinishedTermination() = default;

  TerminationStatus status;
  TerminationResult result = TerminationResult::completed;
  WallTime ended;
};

class Registry {
 public:
  /// Terminations run in `work`, whose owner cancels and joins it.
  Registry(Crew& crew, Scope& work) : crew_(crew), work_(work) {}

  /// An event of an instance of ours: joins the running termination or starts one. Settles the message's
  /// part; the message may be null.
  void take(const Event& event, const HeldMessagePtr& message, Action action);

  /// A claim without work: goes on where it was left.
  void resume(const InstanceId& instance_id, Claim claim);
  /// The instance is in service again: what the claim says we did is undone. Not while work runs on it.
  void take_back(const InstanceId& instance_id, Claim claim, std::string reason);
  /// The same for work that runs, unless its end is forced.
  void give_up(const InstanceId& instance_id, const std::string& reason);
  /// It was seen to start again: what was remembered of its last end says nothing about the next.
  void forget(const InstanceId& instance_id);
  /// It was handled elsewhere.
  void remember(const Event& event) { finished_.add({event.instance_id, event.key()}); }
  /// What is to be done about its hook, or that nothing is, was decided: nobody needs to find it waiting.
  void note_decided(const Event& event);

  [[nodiscard]] bool running(const InstanceId& instance_id) const { return running_.contains(instance_id); }
  /// This very hook is being worked on, was, was refused, or a claim on its Node says that some run took it
  /// over. Work on its instance for another reason does not complete it.
  [[nodiscard]] bool knows(const LifecycleAction& action) const;
  /// Nothing is left to do about it: this very event was handled (repeated), or the end that it tells of is
  /// over (handled). Empty: it is news.
  [[nodiscard]] std::optional<MessageOutcome> answer_to(const Event& event) const;
  [[nodiscard]] bool handled_before(const Event& event) const {
    return finished_.contains({event.instance_id, event.key()});
  }
  /// The claim's every event was handled by us: only its closing is missing.
  [[nodiscard]] bool handled_before(const Claim& claim) const;
  /// The claim on the instance's Node; empty when there is none that is its own.
  [[nodiscard]] std::optional<Claim> claim_on_node(const InstanceId& instance_id) const;

  /// True when no termination is between its message and its claim: a stop loses nothing.
  [[nodiscard]] bool all_durable() const;
  void abandon_all();

  [[nodiscard]] std::vector<TerminationStatus> status() const;
  [[nodiscard]] const std::deque<FinishedTermination>& finished() const { return recent_; }

 private:
  void cancel(const InstanceId& instance_id, const std::string& plan, const HeldMessagePtr& message);
  void note_cancelled(const InstanceId& instance_id, const std::string& plan, WallTime time);
  [[nodiscard]] bool was_cancelled(const Event& event) const;
  void begin(const Event& event, const HeldMessagePtr& message, Action action);
  std::shared_ptr<Termination> start(const InstanceId& instance_id);
  Task<void> run(std::shared_ptr<Termination> termination);
  void finish(const Termination& termination, TerminationResult result);
  void remember(const Termination& termination, TerminationResult result);
  void count();

  Crew& crew_;
  Scope& work_;
  std::map<InstanceId, std::shared_ptr<Termination>> running_;
  Memory<std::pair<InstanceId, std::string>> finished_{10'000};  // instance and event key
  Memory<std::pair<InstanceId, std::string>> hooks_{10'000};     // instance and hook that was decided about
  Memory<InstanceId> ended_{10'000};  // instances whose end, not a voluntary one, is over
  std::map<std::pair<InstanceId, std::string>, WallTime> cancelled_;  // plans, and when that was said
  std::deque<FinishedTermination> recent_;
};

}  // namespace ferryman::termination
