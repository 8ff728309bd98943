// SPDX-License-Identifier: Apache-2.0
// Departures: takes targets out of their pools and watches until they are let go. All that leave a pool share
// its calls: one DeregisterTargets, one look at its delay, one DescribeTargetHealth per poll, the first when
// the delay can be over.
// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-target-group-attributes.html
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/scope.h"
#include "termination/balancers/pool_calls.h"
#include "termination/context.h"

namespace ferryman::termination::balancers {

/// How far an instance has left.
class Progress {
 public:
  Progress() = default;

  std::size_t targets = 0;
  bool deregistered = true;  // no deregistration is due any more
  bool let_go = true;        // and no balancer holds a target, as far as we could see to it
  /// Balancers go on sending new requests for a while after a deregistration: until then they may.
  SteadyTime quiet_at{};
};

/// How long a balancer of this type goes on sending new requests to a target after its deregistration.
Duration continued_service(BalancerType type, const Policy& policy);

class Departures {
 public:
  /// One loop per pool runs in `loops` while targets leave it; the owner of `loops` cancels and joins it.
  Departures(Context& context, PoolCalls& calls, Scope& loops)
      : context_(context), calls_(calls), loops_(loops), changed_(context.clock) {}

  /// What is here already goes on as it does.
  void leave(const std::vector<Registration>& registrations);
  /// The instance's work is over, whatever is left of it.
  void forget(const InstanceId& instance_id);

  [[nodiscard]] Progress progress(const InstanceId& instance_id) const;
  /// What is not let go, in words: "target group web: draining".
  [[nodiscard]] std::vector<std::string> held(const InstanceId& instance_id) const;
  /// Notified whenever a target's progress changes.
  Signal& changed() { return changed_; }

 private:
  enum class Stage : std::uint8_t { unseen, to_deregister, leaving, gone, given_up };
  static bool is_polled(Stage stage) { return stage == Stage::unseen || stage == Stage::leaving; }
  static bool is_open(Stage stage) { return stage < Stage::gone; }
  struct Row {
    Stage stage = Stage::to_deregister;
    SteadyTime due{};      // the next call about it
    SteadyTime left_at{};  // its deregistration was accepted, or seen
    int calls = 0;         // in this stage
    int returns = 0;       // how often it came back
    std::string trouble;
  };
  struct Leaving {
    explicit Leaving(Clock& clock) : changed(clock) {}

    std::map<Target, Row> rows;
    std::optional<Duration> delay;
    Signal changed;
  };

  [[nodiscard]] Row first_row(Standing standing) const;
  Task<void> serve(Pool pool);
  [[nodiscard]] std::vector<Target> due(const Leaving& leaving, bool polled) const;
  [[nodiscard]] SteadyTime next_due(const Leaving& leaving) const;
  Task<void> deregister(Pool pool, std::vector<Target> targets);
  Task<void> deregister_halves(Pool pool, std::vector<Target> targets);
  Task<void> learn_delay(Pool pool);
  Task<void> poll(Pool pool, std::vector<Target> targets);
  void note_accepted(const Pool& pool, const std::vector<Target>& targets);
  void note_refused(const Pool& pool, const std::vector<Target>& targets, const Error& error);
  void note_standing(const Pool& pool, const Target& target, Standing standing);
  void note_unseen(const Pool& pool, const std::vector<Target>& targets, const Error& error);
  void came_back(const Pool& pool, const Target& target, Row& row);
  void settle(const Pool& pool, const std::vector<Target>& targets, Stage stage, const std::string& why);
  Row* row_of(const Pool& pool, const Target& target);

  Context& context_;
  PoolCalls& calls_;
  Scope& loops_;
  Signal changed_;
  std::map<Pool, Leaving> pools_;
  bool said_not_allowed_ = false;
};

}  // namespace ferryman::termination::balancers
