// SPDX-License-Identifier: Apache-2.0
// StatusPoll: asks EC2 now and then what is planned for the instances of all Nodes, and makes an
// instance-status event of each plan that is new, has changed, or is no longer there. For accounts whose AWS
// Health events do not arrive.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "termination/pause_switch.h"

namespace ferryman::termination {

class StatusPoll {
 public:
  StatusPoll(Context& context, Cloud& cloud, Cluster& cluster, const PauseSwitch& pause,
             std::function<void(Event)> tell)
      : context_(context), cloud_(cloud), cluster_(cluster), pause_(pause), tell_(std::move(tell)) {}

  /// Runs until it is cancelled; over at once when the policy names no period.
  Task<void> run();

 private:
  using Key = std::pair<InstanceId, std::string>;  // and the plan's id

  Task<void> poll();
  [[nodiscard]] std::vector<InstanceId> instances() const;
  void compare(const std::vector<InstancePlan>& plans, const std::vector<InstanceId>& asked);
  void tell(const InstanceId& instance, const ScheduledChange& change);
  void complain(const Error& error);

  Context& context_;
  Cloud& cloud_;
  Cluster& cluster_;
  const PauseSwitch& pause_;
  std::function<void(Event)> tell_;
  std::map<Key, ScheduledChange> known_;
  std::string said_;  // the newest failure that was logged; empty once a poll has succeeded
};

}  // namespace ferryman::termination
