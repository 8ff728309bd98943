// SPDX-License-Identifier: Apache-2.0
// Departure: all targets that leave one pool, and the loop that makes their shared calls: one
// DeregisterTargets, one look at the delay, one DescribeTargetHealth per poll, the first when the delay can
// be over.
// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-target-group-attributes.html
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "termination/balancers/pace.h"
#include "termination/balancers/pool_calls.h"
#include "termination/balancers/rights.h"

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

class Departure {
 public:
  /// `changed` is notified whenever a target's progress changes.
  Departure(Context& context, PoolCalls& calls, Rights& rights, Pool pool, Signal& changed)
      : context_(context),
        calls_(calls),
        rights_(rights),
        pool_(std::move(pool)),
        changed_(changed),
        rows_changed_(context.clock) {}

  /// A target that is here already goes on as it does.
  void add(const Target& target, Standing standing);
  void forget(const InstanceId& instance_id);

  /// Works until no target is left here; then it is over, and a new Departure is needed.
  Task<void> run();
  [[nodiscard]] bool over() const { return over_; }

  /// What was let go some time ago may have come back: true when a look at it is due now.
  bool look_again(const InstanceId& instance_id);

  /// Adds this pool's part.
  void add_progress(const InstanceId& instance_id, Progress& progress) const;
  /// Adds "target group web: draining" for each target that is not let go.
  void add_held(const InstanceId& instance_id, std::vector<std::string>& held) const;

 private:
  /// gone: let go, `due` says since when. given_up: we may not. lost: somebody registers it again and again.
  enum class Stage : std::uint8_t { unseen, to_deregister, leaving, gone, given_up, lost };
  struct Row {
    Stage stage = Stage::to_deregister;
    SteadyTime due{};      // the next call about it
    SteadyTime left_at{};  // its deregistration was accepted, or seen
    int calls = 0;         // in this stage
    int returns = 0;       // how often it came back
    std::string trouble;
  };

  static bool is_polled(Stage stage) { return stage == Stage::unseen || stage == Stage::leaving; }
  static bool is_open(Stage stage) { return stage < Stage::gone; }
  [[nodiscard]] Row first_row(Standing standing) const;
  [[nodiscard]] std::vector<Target> due(bool polled) const;
  [[nodiscard]] SteadyTime next_due() const;
  Task<void> deregister(std::vector<Target> targets);
  Task<void> deregister_halves(std::vector<Target> targets);
  Task<void> learn_delay();
  Task<void> poll(std::vector<Target> targets);
  void note_accepted(const std::vector<Target>& targets);
  void note_refused(const std::vector<Target>& targets, const Error& error);
  void note_standing(const Target& target, Standing standing);
  void note_unseen(const std::vector<Target>& targets, const Error& error);
  void came_back(const Target& target, Row& row);
  void settle(const std::vector<Target>& targets, Stage stage, const std::string& why);
  Row* row_of(const Target& target);
  /// Those that are still here.
  template <class Change>
  void each(const std::vector<Target>& targets, Change change) {
    for (const Target& target : targets) {
      if (Row* row = row_of(target)) change(*row);
    }
  }

  Context& context_;
  PoolCalls& calls_;
  Rights& rights_;
  Pool pool_;
  Signal& changed_;
  Signal rows_changed_;
  std::map<Target, Row> rows_;
  std::optional<Duration> delay_;
  bool over_ = false;
};

}  // namespace ferryman::termination::balancers
