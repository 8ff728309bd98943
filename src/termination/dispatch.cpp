// SPDX-License-Identifier: Apache-2.0
#include "termination/dispatch.h"

#include <algorithm>

#include "termination/decision.h"
#include "termination/event_words.h"
#include "termination/useful_life.h"

namespace ferryman::termination {

namespace {

constexpr Duration young_for = std::chrono::minutes{1};
constexpr Duration state_fresh_for = std::chrono::seconds{30};

}  // namespace

void Dispatch::take(const Event& event, const HeldMessagePtr& message) {
  context_.metrics.events[event.kind].add();
  if (const auto answered = registry_.answer_to(event)) {
    crew_.held.settle(message, *answered);
    return;
  }
  if (context_.clock.wall() > end_of_life(event)) {
    crew_.held.settle(message, MessageOutcome::past_its_life);
    return;
  }
  if (registry_.running(event.instance_id) && event.kind != EventKind::asg_launch && !may_be_stale(event)) {
    accept(event, message);
    return;
  }
  const int releases = message == nullptr ? 0 : crew_.held.releases_of(message->message);
  const auto owner = crew_.ownership.known(event, releases);
  const bool more_to_ask = owner == Owner::ours && (needs_group_tags(event) || may_be_stale(event));
  if (owner && !more_to_ask) {
    act(event, message, *owner);
  } else {
    crew_.calls.spawn("dispatch.ask", ask(event, message));
  }
}

/// Only where the settings say that groups' tags may name actions: it costs calls.
bool Dispatch::needs_group_tags(const Event& event) const {
  if (!context_.policy.actions_from_group_tags) return false;
  const std::string group = crew_.ownership.group_of(event);
  return group.empty() ? crew_.facts.remembered(event.instance_id, Duration::max()) == nullptr
                       : crew_.facts.remembered_tags(group) == nullptr;
}

/// A group's tags that cannot be read say nothing; the Node's labels and the settings do.
Task<void> Dispatch::ask(Event event, HeldMessagePtr message) {
  constexpr Duration fresh_for = std::chrono::hours{1};
  const int releases = message == nullptr ? 0 : crew_.held.releases_of(message->message);
  const Owner owner = co_await crew_.ownership.decide(event, releases);
  if (owner == Owner::ours && context_.policy.actions_from_group_tags) {
    if (crew_.ownership.group_of(event).empty())
      (void)co_await crew_.facts.look(event.instance_id, fresh_for);
    const std::string group = crew_.ownership.group_of(event);
    if (!group.empty()) (void)co_await crew_.facts.tags_of(group);
  }
  if (owner == Owner::ours && may_be_stale(event)) {
    const auto seen = co_await crew_.facts.look(event.instance_id, state_fresh_for);
    if (seen && seen->state == "running") {
      context_.log.info("event.stale", {{"instance", event.instance_id},
                                        {"kind", name_of(event.kind)},
                                        {"reason", "EC2 says that the instance runs"}});
      crew_.held.settle(message, MessageOutcome::past_its_life);
      co_return;
    }
  }
  if (owner == Owner::unknown && message == nullptr) {
    crew_.work.spawn("dispatch.again", take_later(std::move(event)));
    co_return;
  }
  act(event, message, owner);
}

/// What came without a message does not come again by itself.
Task<void> Dispatch::take_later(Event event) {
  constexpr Duration later = std::chrono::minutes{1};
  co_await context_.clock.sleep_for(later);
  take(event, nullptr);
}

/// An old notice of an end without a hook may tell of the last end of an instance that runs again. A young
/// one is believed: EC2's answers are eventually consistent.
bool Dispatch::may_be_stale(const Event& event) const {
  if (event.action || event.voluntary()) return false;
  const WallTime now = context_.clock.wall();
  if (event.kind == EventKind::state_change) return now > event.event_time + young_for;
  return event.deadline && now > *event.deadline + young_for;
}

void Dispatch::act(const Event& event, const HeldMessagePtr& message, Owner owner) {
  if (owner == Owner::ours) {
    accept(event, message);
  } else {
    refuse(event, message, owner);
  }
}

void Dispatch::accept(const Event& event, const HeldMessagePtr& message) {
  const Node* node = crew_.ports.cluster.find_node(event.instance_id);
  const Tags* tags = crew_.facts.remembered_tags(crew_.ownership.group_of(event));
  const Decision decision = action_for(event, context_.policy, node == nullptr ? Labels() : node->labels,
                                       tags == nullptr ? Tags() : *tags);
  if (!decision.unreadable.empty() && unreadable_.add(decision.unreadable)) {
    context_.log.warn("action.unreadable",
                      {{"instance", event.instance_id}, {"reason", decision.unreadable}});
  }
  if (event.kind == EventKind::asg_launch) {
    launches_.take(event, message, decision.complete);
    return;
  }
  const bool cancelled = event.change && event.change->cancelled;
  const bool never = event.change && !cancelled && !due_at(event, context_.policy);
  const Action action = never ? Action::ignore : decision.action;
  if (action == Action::ignore && !cancelled) {
    tell_ignored(event, never ? "its lead time" : decision.by);
  }
  registry_.take(event, message, action);
}

void Dispatch::tell_ignored(const Event& event, const std::string& by) {
  context_.log.info("event.ignored",
                    {{"instance", event.instance_id}, {"kind", name_of(event.kind)}, {"by", by}});
  Notice notice(NoticeKind::event_ignored, event.instance_id,
                what_happened(event) + "; nothing is done about it: " + by);
  notice.event_kind = name_of(event.kind);
  notice.event_id = event.event_id;
  notice.at = context_.clock.wall();
  crew_.ports.notices.tell(notice);
}

void Dispatch::refuse(const Event& event, const HeldMessagePtr& message, Owner owner) {
  context_.log.debug(
      "event.not_ours",
      {{"instance", event.instance_id}, {"kind", name_of(event.kind)}, {"owner", name_of(owner)}});
  if (owner == Owner::nobody) {
    context_.log.debug("event.past_its_life",
                       {{"instance", event.instance_id}, {"reason", "EC2 says that the instance is gone"}});
  }
  const bool for_want_of_a_node = owner == Owner::undecided || owner == Owner::foreign;
  if (for_want_of_a_node) remember(event);
  if (owner == Owner::another_system || owner == Owner::not_managed) registry_.note_decided(event);
  crew_.held.settle(message, outcome_for(owner));
}

void Dispatch::remember(const Event& event) {
  constexpr std::size_t most_instances = 5'000;
  constexpr std::size_t most_events = 5;
  std::vector<Event>& events = homeless_[event.instance_id];
  const bool known = std::any_of(events.begin(), events.end(),
                                 [&](const Event& other) { return other.key() == event.key(); });
  if (known || events.size() >= most_events) return;
  if (events.empty()) homeless_order_.push_back(event.instance_id);
  events.push_back(event);
  if (homeless_order_.size() <= most_instances) return;
  homeless_.erase(homeless_order_.front());
  homeless_order_.pop_front();
}

void Dispatch::node_appeared(const InstanceId& id) {
  crew_.held.node_appeared(id);
  if (crew_.pause.on()) return;  // its message comes again
  const auto waiting = homeless_.extract(id);
  if (waiting.empty()) return;
  std::erase(homeless_order_, id);
  for (const Event& event : waiting.mapped()) take(event, nullptr);
}

Task<void> Dispatch::watch_nodes() {
  constexpr Duration gathering = std::chrono::milliseconds{500};
  constexpr Duration long_wait = std::chrono::hours{1};
  for (;;) {
    std::set<InstanceId> now;
    crew_.ports.cluster.each_node([&](const Node& node) {
      if (!node.instance_id.empty()) now.insert(node.instance_id);
    });
    for (const InstanceId& id : now) {
      if (!nodes_.contains(id)) node_appeared(id);
    }
    nodes_ = std::move(now);
    co_await crew_.ports.cluster.nodes_changed().wait_until(context_.clock.now() + long_wait);
    co_await context_.clock.sleep_for(gathering);
  }
}

}  // namespace ferryman::termination
