// SPDX-License-Identifier: Apache-2.0
#include "termination/registry.h"

#include <algorithm>
#include <exception>

namespace ferryman::termination {

namespace {

constexpr std::size_t most_shown = 50;

}  // namespace

std::shared_ptr<Termination> Registry::start(const InstanceId& instance_id) {
  auto termination = std::make_shared<Termination>(crew_, instance_id);
  running_[instance_id] = termination;
  crew_.context.metrics.terminations_started.add();
  work_.spawn("termination " + instance_id.str(), run(termination));
  count();
  return termination;
}

void Registry::take(const Event& event, const HeldMessagePtr& message, Action action) {
  if (const auto answered = answer_to(event)) {
    crew_.held.settle(message, *answered);
    return;
  }
  if (event.change && event.change->cancelled) {
    note_cancelled(event.instance_id, event.change->plan, event.event_time);
    cancel(event.instance_id, event.change->plan, message);
    return;
  }
  if (was_cancelled(event)) {
    crew_.held.settle(message, MessageOutcome::handled);
    return;
  }
  if (action == Action::ignore) {
    note_decided(event);
    crew_.held.settle(message, MessageOutcome::ignored);
    return;
  }
  const auto found = running_.find(event.instance_id);
  if (found == running_.end()) {
    begin(event, message, action);
  } else if (found->second->accepts_events()) {
    found->second->join(event, message, action);
  } else {
    found->second->hurry();
    crew_.held.settle(message, MessageOutcome::interrupted);
  }
}

/// SQS keeps no order: what was said before a plan was cancelled may arrive after it.
void Registry::note_cancelled(const InstanceId& instance_id, const std::string& plan, WallTime time) {
  constexpr std::size_t most = 5'000;
  if (cancelled_.size() >= most) cancelled_.erase(cancelled_.begin());
  WallTime& at = cancelled_[{instance_id, plan}];
  at = std::max(at, time);
}

bool Registry::was_cancelled(const Event& event) const {
  if (!event.change) return false;
  const auto found = cancelled_.find({event.instance_id, event.change->plan});
  return found != cancelled_.end() && event.event_time < found->second;
}

/// A plan that nobody began is forgotten, one that is being worked on ends, one that was carried out is
/// undone.
void Registry::cancel(const InstanceId& instance_id, const std::string& plan, const HeldMessagePtr& message) {
  const auto of_plan = [&](const Event& known) { return known.change && known.change->plan == plan; };
  const auto holds_plan = [&](const std::vector<Event>& events) {
    return std::any_of(events.begin(), events.end(), of_plan);
  };
  const auto found = running_.find(instance_id);
  if (found != running_.end()) {
    if (!holds_plan(found->second->events())) {
      crew_.held.settle(message, MessageOutcome::handled);
    } else if (found->second->accepts_events()) {
      found->second->cancel_plan(plan, message);
    } else {
      crew_.held.settle(message, MessageOutcome::interrupted);  // it comes again when that work is over
    }
    return;
  }
  auto claim = claim_on_node(instance_id);
  const bool only_reason = claim && std::all_of(claim->events.begin(), claim->events.end(), of_plan);
  if (!claim || !holds_plan(claim->events) || (claim->closed && !only_reason)) {
    crew_.held.settle(message, MessageOutcome::handled);
    return;
  }
  const auto termination = start(instance_id);
  termination->resume(std::move(*claim));
  termination->cancel_plan(plan, message);
}

std::optional<Claim> Registry::claim_on_node(const InstanceId& instance_id) const {
  const Node* node = crew_.ports.cluster.find_node(instance_id);
  if (node == nullptr || node->claim.empty()) return std::nullopt;
  auto claim = decode_claim(node->claim);
  if (!claim || claim->events.front().instance_id != instance_id) return std::nullopt;
  return std::move(*claim);
}

/// An event may come before the reconciler has seen what an earlier run left: what that run took over from
/// messages that are gone by now must not be overwritten.
void Registry::begin(const Event& event, const HeldMessagePtr& message, Action action) {
  if (event.voluntary() && crew_.ports.cluster.find_node(event.instance_id) == nullptr) {
    // Nothing runs there yet that could be moved, and without a Node there is no place for the plan.
    crew_.held.settle(message, MessageOutcome::undecided);
    return;
  }
  auto left = claim_on_node(event.instance_id);
  // What a Node of an earlier boot says is over, unless Auto Scaling waits for it.
  const Node* node = crew_.ports.cluster.find_node(event.instance_id);
  const bool over = left && node != nullptr && !left->by_auto_scaling() && has_started_anew(*node, *left);
  const bool in_time = left && (!left->begun() || left->deadline > crew_.context.clock.wall());
  const bool open = in_time && !left->closed && !over;
  if (open && !handled_before(*left)) {
    resume(event.instance_id, std::move(*left));
  } else {
    const auto termination = start(event.instance_id);
    if (left) termination->inherit(*left);
  }
  running_.at(event.instance_id)->join(event, message, action);
}

void Registry::resume(const InstanceId& instance_id, Claim claim) {
  crew_.context.log.info("termination.resumed", {{"instance", instance_id}, {"events", claim.events.size()}});
  crew_.context.metrics.terminations_resumed.add();
  start(instance_id)->resume(std::move(claim));
}

void Registry::take_back(const InstanceId& instance_id, Claim claim, std::string reason) {
  if (running(instance_id)) return;
  forget(instance_id);
  const auto termination = start(instance_id);
  termination->resume(std::move(claim));
  termination->take_back(std::move(reason));
}

void Registry::give_up(const InstanceId& instance_id, const std::string& reason) {
  const auto found = running_.find(instance_id);
  if (found == running_.end() || !found->second->accepts_events()) return;
  if (!found->second->claim().by_auto_scaling()) found->second->take_back(reason);
}

void Registry::forget(const InstanceId& instance_id) {
  ended_.forget(instance_id);
  const std::pair first(instance_id, std::string());
  const auto of_instance = [&](const auto& key) { return key.first == instance_id; };
  finished_.forget_from(first, of_instance);
  hooks_.forget_from(first, of_instance);
}

/// Whoever comes after the end with nothing to complete: the Node's claim says how far that end went, and
/// whether the Node has started anew since. Without a Node memory does.
std::optional<MessageOutcome> Registry::answer_to(const Event& event) const {
  if (handled_before(event)) return MessageOutcome::repeated;
  if (running(event.instance_id)) return std::nullopt;
  const bool ours_to_complete = event.action && is_our_hook(crew_.context.policy, event.action->hook);
  const Node* node = crew_.ports.cluster.find_node(event.instance_id);
  if (node == nullptr) {
    const bool over = !ours_to_complete && ended_.contains(event.instance_id);
    return over ? std::optional(MessageOutcome::handled) : std::nullopt;
  }
  const auto claim = claim_on_node(event.instance_id);
  if (!claim || !claim->closed || node->boot_id != claim->boot_id) return std::nullopt;
  if (claim->holds(event.key())) return MessageOutcome::repeated;
  const bool over = !ours_to_complete && !event.change && claim->completed &&
                    claim->action == Action::drain && (event.voluntary() || !claim->voluntary());
  return over ? std::optional(MessageOutcome::handled) : std::nullopt;
}

bool Registry::knows(const LifecycleAction& action) const {
  const InstanceId& id = action.instance_id;
  const auto tells = [&](const Event& event) { return event.action && event.action->hook == action.hook; };
  if (const auto found = running_.find(id); found != running_.end()) {
    // One that closes takes in nothing any more: the next look sees what it left.
    return !found->second->accepts_events() || std::ranges::any_of(found->second->events(), tells);
  }
  if (hooks_.contains({id, action.hook})) return true;
  const Node* node = crew_.ports.cluster.find_node(id);
  const auto claim = claim_on_node(id);
  if (!claim || node->boot_id != claim->boot_id) return false;
  return std::ranges::any_of(claim->events, tells);
}

void Registry::note_decided(const Event& event) {
  if (event.action) hooks_.add({event.instance_id, event.action->hook});
}

bool Registry::handled_before(const Claim& claim) const {
  return std::all_of(claim.events.begin(), claim.events.end(),
                     [&](const Event& event) { return handled_before(event); });
}

Task<void> Registry::run(std::shared_ptr<Termination> termination) {
  TerminationResult result = TerminationResult::failed;
  std::exception_ptr failure;
  try {
    result = co_await termination->run();
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) {
    const std::string text = failure_text(failure);
    if (text.empty()) std::rethrow_exception(failure);  // a cancellation
    crew_.context.log.error("termination.failed",
                            {{"instance", termination->instance_id()}, {"error", text}});
  }
  finish(*termination, result);
}

void Registry::finish(const Termination& termination, TerminationResult result) {
  crew_.context.metrics.terminations[result].add();
  FinishedTermination over;
  over.status = termination.status();
  over.result = result;
  over.ended = crew_.context.clock.wall();
  recent_.push_front(std::move(over));
  if (recent_.size() > most_shown) recent_.pop_back();

  const auto self = running_.extract(termination.instance_id());
  if (result == TerminationResult::failed) {
    if (!self.empty()) self.mapped()->abandon(MessageOutcome::interrupted);
  } else {
    remember(termination, result);
  }
  count();
}

void Registry::remember(const Termination& termination, TerminationResult result) {
  if (result == TerminationResult::cancelled) {
    // A plan may be opened again; a notice that comes again tells of the end that is over.
    forget(termination.instance_id());
    for (const Event& event : termination.events()) {
      if (!event.change) remember(event);
    }
    return;
  }
  for (const Event& event : termination.events()) {
    remember(event);
    note_decided(event);
  }
  if (!termination.claim().voluntary()) ended_.add(termination.instance_id());
}

bool Registry::all_durable() const {
  return std::all_of(running_.begin(), running_.end(),
                     [](const auto& entry) { return entry.second->durable(); });
}

void Registry::abandon_all() {
  for (const auto& [id, termination] : std::exchange(running_, {}))
    termination->abandon(MessageOutcome::interrupted);
}

void Registry::count() {
  crew_.context.metrics.running.set(static_cast<double>(running_.size()));
}

std::vector<TerminationStatus> Registry::status() const {
  std::vector<TerminationStatus> all;
  all.reserve(running_.size());
  for (const auto& [id, termination] : running_) all.push_back(termination->status());
  return all;
}

}  // namespace ferryman::termination
