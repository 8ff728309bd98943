// SPDX-License-Identifier: Apache-2.0
// Dispatch: whose an event is and what is done about it. Ours go to the registry or to the launches; the
// message's part of every other is settled here. Never waits for work.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "termination/launches.h"
#include "termination/memory.h"
#include "termination/registry.h"

namespace ferryman::termination {

class Dispatch {
 public:
  Dispatch(Crew& crew, Registry& registry, Launches& launches)
      : crew_(crew), context_(crew.context), registry_(registry), launches_(launches) {}

  /// The message may be null: the event came without one.
  void take(const Event& event, const HeldMessagePtr& message);

  /// Nodes that join: what was given back for want of a Node is begun at once, from memory, wherever its
  /// message is now; another reader may hide it for a minute. Runs until cancelled.
  Task<void> watch_nodes();

 private:
  void act(const Event& event, const HeldMessagePtr& message, Owner owner);
  void accept(const Event& event, const HeldMessagePtr& message);
  void tell_ignored(const Event& event, const std::string& by);
  Task<void> ask(Event event, HeldMessagePtr message);
  [[nodiscard]] bool needs_group_tags(const Event& event) const;
  [[nodiscard]] bool may_be_stale(const Event& event) const;
  Task<void> take_later(Event event);
  void remember(const Event& event);
  void node_appeared(const InstanceId& id);
  void refuse(const Event& event, const HeldMessagePtr& message, Owner owner);

  Crew& crew_;
  Context& context_;
  Registry& registry_;
  Launches& launches_;
  std::set<InstanceId> nodes_;                         // seen so far
  std::map<InstanceId, std::vector<Event>> homeless_;  // given back for want of a Node
  std::deque<InstanceId> homeless_order_;  // the oldest memory goes first; may name forgotten ones
  Memory<std::string> unreadable_{1'000};  // labels and tags that were complained about
};

}  // namespace ferryman::termination
