// SPDX-License-Identifier: Apache-2.0
// Launches: launch hooks of ours are completed with CONTINUE as soon as the instance's Node is Ready. A
// launch is not kept alive: its hook's timeout says how long a Node may take, and the policy what comes then.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "termination/registry.h"

namespace ferryman::termination {

class Launches {
 public:
  /// One child per waiting launch runs in `work`, whose owner cancels and joins it.
  Launches(Crew& crew, Registry& registry, Scope& work)
      : crew_(crew), context_(crew.context), registry_(registry), work_(work) {}

  /// Holds the message until the launch is over: there is no Node yet to note it on. A launch says that the
  /// instance is not ending any more.
  void take(const Event& event, const HeldMessagePtr& message, bool complete);

  /// For a stop: the messages go back to the queue.
  void abandon_all();
  [[nodiscard]] std::size_t size() const { return waiting_.size(); }

 private:
  using Key = std::pair<InstanceId, std::string>;  // and the hook

  Task<void> run(Event event, LifecycleAction action);
  [[nodiscard]] std::string boot_of(const InstanceId& id) const;
  [[nodiscard]] bool ready(const LifecycleAction& action, WallTime since,
                           const std::string& boot_before) const;
  Task<bool> wait_until_ready(LifecycleAction action, WallTime since, Deadline limit);
  Task<Deadline> limit_of(LifecycleAction action, WallTime since);
  Task<void> answer(LifecycleAction action, bool is_ready, Deadline limit);
  void welcome_back(const InstanceId& id);

  Crew& crew_;
  Context& context_;
  Registry& registry_;
  Scope& work_;
  std::map<Key, std::vector<HeldMessagePtr>> waiting_;
};

}  // namespace ferryman::termination
