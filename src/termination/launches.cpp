// SPDX-License-Identifier: Apache-2.0
#include "termination/launches.h"

namespace ferryman::termination {

void Launches::take(const Event& event, const HeldMessagePtr& message, bool complete) {
  if (registry_.handled_before(event)) {
    crew_.held.settle(message, MessageOutcome::repeated);
    return;
  }
  registry_.forget(event.instance_id);
  if (!event.action || !complete || !is_our_hook(context_.policy, event.action->hook)) {
    crew_.held.settle(message, MessageOutcome::ignored);
    return;
  }
  const LifecycleAction& action = *event.action;
  std::vector<HeldMessagePtr>& messages = waiting_[{event.instance_id, action.hook}];
  messages.push_back(message);
  if (messages.size() > 1) return;
  context_.log.info("launch.awaited", {{"instance", event.instance_id}, {"hook", action.hook}});
  work_.spawn("launch " + event.instance_id.str(), run(event, action));
}

std::string Launches::boot_of(const InstanceId& id) const {
  const Node* node = crew_.ports.cluster.find_node(id);
  return node == nullptr ? std::string() : node->boot_id;
}

/// An instance from a warm pool may have been stopped a moment ago: until Kubernetes misses its kubelet, its
/// Node shows the Ready of the boot before.
/// https://kubernetes.io/docs/concepts/architecture/nodes/#node-controller
bool Launches::ready(const LifecycleAction& action, WallTime since, const std::string& boot_before) const {
  constexpr Duration missed_after = std::chrono::seconds{50};
  const Node* node = crew_.ports.cluster.find_node(action.instance_id);
  if (node == nullptr || !node->ready) return false;
  const bool may_be_old = action.origin == "WarmPool" && node->boot_id == boot_before;
  return !may_be_old || context_.clock.wall() >= since + missed_after;
}

Task<Deadline> Launches::limit_of(LifecycleAction action, WallTime since) {
  constexpr Duration longest_look_up = std::chrono::seconds{5};
  co_await crew_.catalog.learn(action, Deadline::after(context_.clock, longest_look_up));
  const LifecycleHook hook = crew_.catalog.known(action).value_or(assumed_hook(action));
  // A short hook must not be over at once.
  const Duration margin = std::min<Duration>(context_.policy.margin, hook.heartbeat_timeout / 4);
  co_return Deadline(context_.moment().steady_of(since + hook.heartbeat_timeout - margin));
}

/// False at the limit, and when the instance is gone.
Task<bool> Launches::wait_until_ready(LifecycleAction action, WallTime since, Deadline limit) {
  constexpr Duration look_again = std::chrono::seconds{30};
  constexpr Duration fresh_for = std::chrono::seconds{15};
  constexpr Duration short_wait = std::chrono::seconds{5};
  const std::string boot_before = boot_of(action.instance_id);
  SteadyTime look_at = context_.clock.now() + look_again;
  while (!limit.passed(context_.clock)) {
    if (ready(action, since, boot_before)) co_return true;
    if (context_.clock.now() >= look_at) {
      const auto seen = co_await crew_.facts.look(action.instance_id, fresh_for);
      if (seen && seen->gone()) co_return false;
      look_at = context_.clock.now() + look_again;
      continue;
    }
    const SteadyTime next = std::min({limit.at(), look_at, context_.clock.now() + short_wait});
    co_await crew_.ports.cluster.nodes_changed().wait_until(next);
  }
  co_return ready(action, since, boot_before);
}

/// From a warm pool it comes with the marks of the end that led it there.
void Launches::welcome_back(const InstanceId& id) {
  auto claim = registry_.claim_on_node(id);
  if (claim) registry_.take_back(id, std::move(*claim), "the instance was launched again");
}

Task<void> Launches::answer(LifecycleAction action, bool is_ready, Deadline limit) {
  const Log log = context_.log.with({{"instance", action.instance_id}});
  const AtLimit at_limit = context_.policy.launch_at_limit;
  if (!is_ready) {
    log.warn("launch.not_ready",
             {{"hook", action.hook},
              {"cure",
               "see why the Node is not Ready; a longer timeout of the hook gives it more time, "
               "--launch-at-limit says what comes then"}});
    if (at_limit == AtLimit::leave) co_return;
  }
  const bool abandon = !is_ready && at_limit == AtLimit::abandon;
  constexpr Duration for_the_answer = std::chrono::minutes{1};
  steps::CompleteStep step(context_, crew_.ports.cloud, log);
  const CompletionResult result = abandon ? CompletionResult::abandon : CompletionResult::proceed;
  const steps::Completion end = co_await step.run(
      action, result, Deadline(std::max(limit.at(), context_.clock.now()) + for_the_answer));
  if (is_ready && end == steps::Completion::accepted) context_.metrics.launches.add();
}

Task<void> Launches::run(Event event, LifecycleAction action) {
  Deadline limit = co_await limit_of(action, event.event_time);
  bool is_ready = co_await wait_until_ready(action, event.event_time, limit);
  // The timeout may have been assumed, as the shortest there is.
  while (!is_ready) {
    const Deadline later = co_await limit_of(action, event.event_time);
    if (later.at() <= limit.at()) break;
    limit = later;
    is_ready = co_await wait_until_ready(action, event.event_time, limit);
  }
  if (is_ready) welcome_back(event.instance_id);
  co_await answer(action, is_ready, limit);
  registry_.remember(event);
  const auto waiting = waiting_.extract({event.instance_id, action.hook});
  if (waiting.empty()) co_return;
  for (const HeldMessagePtr& message : waiting.mapped()) crew_.held.settle(message, MessageOutcome::handled);
}

void Launches::abandon_all() {
  for (const auto& [key, messages] : std::exchange(waiting_, {})) {
    for (const HeldMessagePtr& message : messages) crew_.held.settle(message, MessageOutcome::interrupted);
  }
}

}  // namespace ferryman::termination
