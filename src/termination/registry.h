// SPDX-License-Identifier: Apache-2.0
// Registry: at most one termination per instance. Events find theirs here; finished work is remembered, so
// that a message that comes again is answered without a call.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

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
  /// part.
  void take(const Event& event, const HeldMessagePtr& message);

  /// A claim without work: goes on where it was left.
  void resume(const InstanceId& instance_id, Claim claim);

  [[nodiscard]] bool running(const InstanceId& instance_id) const { return running_.contains(instance_id); }
  [[nodiscard]] bool handled_before(const Event& event) const {
    return finished_.contains(memory_key(event));
  }
  /// The claim's every event was handled by us: only its closing is missing.
  [[nodiscard]] bool handled_before(const Claim& claim) const;

  /// True when no termination is between its message and its claim: a stop loses nothing.
  [[nodiscard]] bool all_durable() const;
  void abandon_all();

  [[nodiscard]] std::vector<TerminationStatus> status() const;
  [[nodiscard]] const std::deque<FinishedTermination>& finished() const { return recent_; }

 private:
  [[nodiscard]] std::optional<Claim> claim_on_node(const InstanceId& instance_id) const;
  void begin(const Event& event, const HeldMessagePtr& message);
  std::shared_ptr<Termination> start(const InstanceId& instance_id);
  Task<void> run(std::shared_ptr<Termination> termination);
  void finish(const Termination& termination, TerminationResult result);
  void count();
  static std::string memory_key(const Event& event) { return event.instance_id.str() + "|" + event.key(); }

  Crew& crew_;
  Scope& work_;
  std::map<InstanceId, std::shared_ptr<Termination>> running_;
  std::set<std::string> finished_;
  std::deque<std::string> finished_order_;  // the oldest memory goes first
  std::deque<FinishedTermination> recent_;
};

}  // namespace ferryman::termination
