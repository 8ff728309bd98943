// SPDX-License-Identifier: Apache-2.0
// Departure: all targets that leave one pool, and the two loops that make their shared calls: one
// DeregisterTargets for all that leave within a moment, and one DescribeTargetHealth per poll, the first when
// the delay can be over. Neither loop waits for the other.
// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-target-group-attributes.html
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "termination/balancers/gate.h"
#include "termination/balancers/pace.h"

namespace ferryman::termination::balancers {

/// How far an instance has left.
class Progress {
 public:
  Progress() = default;

  std::size_t targets = 0;
  bool deregistered = true;  // no deregistration is due any more
  bool let_go = true;        // and no balancer holds a target, as far as we could see to it
  bool kept = false;         // some are registered still, so that enough healthy targets are there
  /// Balancers go on sending new requests for a while after a deregistration: until then they may.
  SteadyTime quiet_at{};
};

/// For which instance a target leaves, and how.
class Leaving {
 public:
  Leaving() = default;
  explicit Leaving(InstanceId id) : instance_id(std::move(id)) {}

  InstanceId instance_id;
  bool resumed = false;                     // an earlier run may have taken it out
  bool voluntary = false;                   // the pool keeps enough healthy targets
  SteadyTime deadline = SteadyTime::max();  // the work is over then, whatever is left
};

class Departure {
 public:
  Departure(Gate& gate, Pool pool);

  /// A target that is here already goes on as it does, but for how it leaves. `seen`: when it stood so.
  void add(const Leaving& leaving, const Registration& registration);
  void forget(const InstanceId& instance_id);
  /// A call that takes a target of this instance out is under way, even when it was forgotten meanwhile.
  [[nodiscard]] bool takes_out(const InstanceId& instance_id) const;

  /// The loops. Each works until no target is left here; `loops` that have ended can be started again.
  Task<void> deregister_all();
  Task<void> watch_all();
  bool deregisters = false;  // the loop runs
  bool watches = false;
  [[nodiscard]] bool idle() const { return rows_.empty() && !deregisters && !watches; }

  /// Adds this pool's part.
  void add_progress(const InstanceId& instance_id, Progress& progress) const;
  /// What others took out of this pool, before we could.
  [[nodiscard]] std::vector<Target> left_by_others(const InstanceId& instance_id) const;
  /// Adds "target group web: draining" for each target that is not let go.
  void add_held(const InstanceId& instance_id, std::vector<std::string>& held) const;

 private:
  /// gone: let go, `due` says since when. given_up: we may not. lost: somebody registers it again and again.
  enum class Stage : std::uint8_t { unseen, to_deregister, leaving, gone, given_up, lost };
  struct Row {
    Stage stage = Stage::to_deregister;
    Leaving leaving;
    bool owned = false;      // it is waited for, and never deregistered by us
    bool by_others = false;  // somebody else took it out before we did
    bool kept = false;       // not deregistered, so that enough healthy targets are there
    SteadyTime due{};        // the next call about it
    SteadyTime left_at{};    // its deregistration was accepted, or seen
    int calls = 0;           // in this stage
    int returns = 0;         // how often it came back
    std::string trouble;
  };

  static bool is_polled(Stage stage) { return stage == Stage::unseen || stage == Stage::leaving; }
  static bool is_open(Stage stage) { return stage < Stage::gone; }
  void start(Row& row, Standing standing) const;
  [[nodiscard]] std::vector<Target> due(bool polled) const;
  [[nodiscard]] SteadyTime next_due(bool polled) const;
  [[nodiscard]] SteadyTime gathered_at() const;
  Task<void> take_turn();
  void prefer_forced(std::vector<Target>& targets) const;
  Task<void> deregister(std::vector<Target> targets);
  Task<void> deregister_halves(std::vector<Target> targets);
  Task<void> keep_healthy(std::vector<Target>& targets);
  void keep(const std::vector<Seat>& seats, std::vector<Target>& targets);
  void keep_all(std::vector<Target>& targets, const std::string& why);
  [[nodiscard]] SteadyTime kept_until(const Row& row) const;
  [[nodiscard]] bool keeps(const Row& row) const;
  void keep_row(Row& row, Duration look_again, const std::string& why) const;
  void postpone(const Target& target, Duration pause, std::string why);
  [[nodiscard]] bool wants_delay() const;
  void heed_delay();
  void name_delay(const Row& row);
  [[nodiscard]] bool outlasts(const Row& row) const;
  [[nodiscard]] std::string words_of_draining(const Row& row) const;
  [[nodiscard]] std::string words_of(const Row& row) const;
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
  template <class Visit>
  void each_of(const InstanceId& instance_id, Visit visit) const {
    const auto targets = by_instance_.find(instance_id);
    if (targets == by_instance_.end()) return;
    for (const Target& target : targets->second) visit(rows_.at(target));
  }

  Gate& gate_;
  Context& context_;
  Pool pool_;
  Signal rows_changed_;
  std::map<Target, Row> rows_;
  std::map<InstanceId, std::vector<Target>> by_instance_;
  std::vector<InstanceId> taken_out_;        // by the call that is under way
  std::optional<SteadyTime> gathers_since_;  // those that will be deregistered by one call
  bool named_delay_ = false;
};

}  // namespace ferryman::termination::balancers
