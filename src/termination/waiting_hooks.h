// SPDX-License-Identifier: Apache-2.0
// WaitingHooks: instances that a hook of ours holds and of which no message told. Auto Scaling delivers its
// events as best effort; a hook whose event is lost waits out its whole timeout and then lets the node go
// with all that runs on it. Looks at the groups of all Nodes, every minute or a third of the shortest hook,
// and makes an event of each hook that has waited unheeded since the look before. Ours is a hook that --hook
// names, or that a message told of since we started: never one that another handles.
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-delivery-level.html
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "termination/registry.h"

namespace ferryman::termination {

class WaitingHooks {
 public:
  WaitingHooks(Crew& crew, const Registry& registry, std::function<void(Event)> tell)
      : crew_(crew), context_(crew.context), registry_(registry), tell_(std::move(tell)) {}

  /// Runs until it is cancelled; over at once when the policy says so.
  Task<void> run();

 private:
  using Key = std::pair<InstanceId, std::string>;  // and the hook
  class Wait {
   public:
    LifecycleAction action;
    Event event;        // that tells of it
    bool told = false;  // once for each time that the instance waits
  };
  using Waits = std::map<Key, Wait>;

  Task<Result<void>> look();
  Task<Result<void>> learn_groups();
  Task<Result<void>> learn_hooks(std::vector<std::string> groups);
  Task<void> refresh_hooks(std::vector<GroupMember> members);
  void note(const GroupMember& member, Waits& waits);
  void tell(Wait& wait);
  [[nodiscard]] std::vector<LifecycleHook> hooks_that_hold(const GroupMember& member) const;
  [[nodiscard]] bool is_ours(const std::string& group, const std::string& hook) const;
  void complain(const Error& error);

  Crew& crew_;
  Context& context_;
  const Registry& registry_;
  std::function<void(Event)> tell_;
  std::map<InstanceId, std::string> groups_;  // of Nodes; empty: in none
  Waits waits_;                               // at the last look
  int failures_ = 0;                          // since the last look that succeeded
  std::string said_;                          // the newest failure that was logged; empty after a success
};

}  // namespace ferryman::termination
