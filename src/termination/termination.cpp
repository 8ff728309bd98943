// SPDX-License-Identifier: Apache-2.0
#include "termination/termination.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace ferryman::termination {

namespace {

constexpr Duration longest_barrier = std::chrono::seconds{5};
constexpr Duration longest_look_up =
    std::chrono::seconds{3};  // the cordon must not wait long for the hooks' facts
constexpr Duration longest_write = std::chrono::seconds{5};  // before the completion, which must not wait
constexpr Duration longest_close = std::chrono::seconds{30};

}  // namespace

Termination::Termination(Crew& crew, InstanceId instance_id)
    : crew_(crew),
      context_(crew.context),
      instance_id_(std::move(instance_id)),
      log_(crew.context.log.with({{"instance", instance_id_}})),
      claim_(crew.context, crew.ports.cluster, crew.held, instance_id_, log_),
      drain_(std::make_shared<steps::DrainStep>(crew.context, crew.ports.cluster, crew.calls, log_)),
      deregister_(crew.context, crew.membership, crew.departures, instance_id_, log_),
      complete_(crew.context, crew.ports.cloud, log_),
      cordoning_(crew.barrier) {
  claim_.claim().started = context_.clock.wall();
}

Termination::~Termination() = default;

void Termination::keep_alive(const Event& event) {
  if (!event.action || !is_our_hook(context_.policy, event.action->hook)) return;
  crew_.heartbeats.add(*event.action, event.event_time);
}

void Termination::join(const Event& event, HeldMessagePtr message) {
  const bool known = claim_.holds(event.key());
  log_.info(known ? "event.repeated" : "event.joined",
            {{"kind", name_of(event.kind)}, {"event_id", event.event_id}, {"message", message->message.id}});
  if (!known) keep_alive(event);
  claim_.add(event, std::move(message));
  if (!known && phase_ > Phase::resolve) replan();
}

void Termination::resume(Claim claim) {
  for (const Event& event : claim.events) keep_alive(event);
  claim_.resume(std::move(claim));
  deregister_.resume();
}

void Termination::enter(Phase phase) {
  phase_ = phase;
  log_.debug("termination.phase", {{"phase", name_of(phase)}});
}

/// Facts about the hooks, then the plan. Without the facts the plan is made for the shortest hook that AWS
/// allows.
Task<void> Termination::resolve() {
  enter(Phase::resolve);
  std::set<std::string> groups;
  for (const Event& event : events()) {
    if (event.action) groups.insert(event.action->group);
  }
  const Deadline deadline = Deadline::after(context_.clock, longest_look_up);
  for (const std::string& group : groups) (void)co_await crew_.catalog.hooks(group, deadline);
  crew_.heartbeats.hooks_known();
  replan();
}

/// A later event may shorten the deadlines.
void Termination::replan() {
  std::vector<LifecycleHook> hooks;
  for (const Event& event : events()) {
    if (!event.action) continue;
    if (auto hook = crew_.catalog.known(*event.action)) hooks.push_back(std::move(*hook));
  }
  plan_ = make_plan(events(), hooks, context_.policy, claim_.claim().started, context_.moment());
  claim_.claim().deadline = context_.moment().wall_of(plan_.deadline);
  drain_->replan(plan_);
  deregister_.changed().notify_all();
}

Task<steps::ClaimWrite> Termination::cordon() {
  enter(Phase::cordon);
  const bool first = claim_.claim().steps.empty();
  const steps::ClaimWrite written = co_await claim_.persist(Deadline(plan_.deadline));
  cordoning_.leave();
  const WallTime oldest =
      std::min_element(events().begin(), events().end(), [](const Event& a, const Event& b) {
        return a.event_time < b.event_time;
      })->event_time;
  if (written == steps::ClaimWrite::durable && first) {
    context_.metrics.seconds_to_cordon.observe(seconds(context_.clock.wall() - oldest));
  }
  co_return written;
}

/// Evictions wait until no balancer chooses the node for new work; but one that cannot be asked must not hold
/// them up for long.
Deadline Termination::deregister_by() const {
  constexpr Duration shortest = std::chrono::seconds{5};
  constexpr Duration longest = std::chrono::seconds{60};
  const Duration left = Deadline(plan_.deadline).left(context_.clock);
  return Deadline::after(context_.clock, std::clamp(left / 10, shortest, longest));
}

/// The claim names what we take out before it is taken out, so that it can be put back.
Task<void> Termination::deregister() {
  if (!context_.policy.deregister) co_return;
  enter(Phase::deregister);
  const Deadline deadline = deregister_by();
  constexpr Duration at_a_time = std::chrono::seconds{3};  // a long scan is left in parts, as they are read
  for (;;) {
    const bool news = co_await deregister_.find(claim_.claim(), deadline.at_most(context_.clock, at_a_time));
    if (news) (void)co_await claim_.persist(Deadline::after(context_.clock, longest_write));
    deregister_.leave();
    if (deregister_.knows_all() || deadline.passed(context_.clock)) break;
    co_await context_.clock.sleep_until(std::min(deregister_.find_again_at(), deadline.at()));
  }
  co_await deregister_.wait(deadline);
}

/// Pods that take traffic on this node stay until its load balancers are quiet.
Task<void> Termination::hold_traffic() {
  if (!context_.policy.deregister || deregister_.is_out()) co_return;
  auto services = co_await crew_.services.get(context_.call_deadline());
  drain_->hold_traffic([this] { return deregister_.traffic_until(); }, std::move(services));
}

Task<TerminationResult> Termination::drain() {
  enter(Phase::drain);
  co_await hold_traffic();
  co_await crew_.barrier.wait(longest_barrier);
  const steps::DrainOutcome outcome = co_await drain_->run(claim_.node().name, plan_);
  if (outcome.empty) {
    claim_.claim().note_step("drain");
    log_.info("drain.finished", {{"node", claim_.node().name}});
    co_return TerminationResult::completed;
  }
  context_.metrics.pods_left.add(outcome.left.size());
  log_.error("drain.cut_short",
             {{"node", claim_.node().name}, {"left", fmt::format("{}", fmt::join(outcome.left, "; "))}});
  co_return TerminationResult::cut_short;
}

/// Until every target is let go and nothing is sent to the node any more.
Task<TerminationResult> Termination::settle(TerminationResult so_far) {
  if (!context_.policy.deregister) co_return so_far;
  enter(Phase::settle);
  co_await wait_until_out();
  if (deregister_.is_out() && deregister_.look_again()) co_await wait_until_out();
  const std::vector<std::string> held = deregister_.held();
  if (held.empty()) co_return so_far;
  context_.metrics.targets_left.add(held.size());
  log_.error("settle.cut_short",
             {{"node", claim_.node().name}, {"held", fmt::format("{}", fmt::join(held, "; "))}});
  co_return TerminationResult::cut_short;
}

Task<void> Termination::wait_until_out() {
  while (!deregister_.is_out() && context_.clock.now() < plan_.deadline) {
    if (!deregister_.knows_all() && deregister_.find_again_at() <= context_.clock.now()) {
      co_await deregister();
      enter(Phase::settle);
      continue;
    }
    SteadyTime wake = plan_.deadline;
    if (!deregister_.knows_all()) wake = std::min(wake, deregister_.find_again_at());
    if (deregister_.quiet_at() > context_.clock.now()) wake = std::min(wake, deregister_.quiet_at());
    co_await deregister_.changed().wait_until(wake);
  }
}

/// Events that joined while we drained. Not for long: should this fail, their messages are still held.
Task<void> Termination::persist_joined() {
  const Deadline deadline = Deadline::after(context_.clock, longest_write);
  while (claim_.has_unwritten()) {
    if (co_await claim_.persist(deadline) != steps::ClaimWrite::durable) co_return;
  }
}

std::vector<LifecycleAction> Termination::our_actions() const {
  std::vector<LifecycleAction> actions;
  for (const Event& event : events()) {
    if (event.action && is_our_hook(context_.policy, event.action->hook)) actions.push_back(*event.action);
  }
  return actions;
}

/// By index: an action that joins meanwhile is completed too. False when one was lost.
Task<bool> Termination::complete_actions() {
  bool all = true;
  for (std::size_t next = 0; next < our_actions().size(); ++next) {
    const LifecycleAction action = our_actions().at(next);
    if (!crew_.heartbeats.over(action)) {
      all = co_await complete_.run(action, Deadline(plan_.lost_at)) != steps::Completion::lost && all;
    }
    crew_.heartbeats.remove(action);
  }
  co_return all;
}

Task<TerminationResult> Termination::complete(TerminationResult so_far) {
  if (so_far != TerminationResult::node_gone) co_await persist_joined();
  enter(Phase::complete);
  const bool all = co_await complete_actions();
  closing_ = true;
  claim_.claim().note_step("complete");
  claim_.settle_rest(MessageOutcome::handled);
  if (so_far != TerminationResult::node_gone)
    co_await claim_.close(Deadline::after(context_.clock, longest_close));
  co_return all ? so_far : TerminationResult::cut_short;
}

Task<TerminationResult> Termination::run() {
  co_await resolve();
  const steps::ClaimWrite written = co_await cordon();
  TerminationResult result = TerminationResult::completed;
  if (written == steps::ClaimWrite::node_gone) {
    result = TerminationResult::node_gone;
    log_.info("node.gone", {{"reason", "no Node carries the instance id any more: nothing to drain"}});
    co_await deregister();
  } else if (written == steps::ClaimWrite::too_late) {
    result = TerminationResult::cut_short;
    log_.error("drain.cut_short",
               {{"left", "everything: the Node could not be cordoned before the deadline"}});
  } else {
    co_await deregister();
    result = co_await drain();
  }
  result = co_await settle(result);
  result = co_await complete(result);
  report(result);
  co_return result;
}

void Termination::report(TerminationResult result) const {
  const Duration took = context_.clock.wall() - claim_.claim().started;
  context_.metrics.seconds_to_complete.observe(seconds(took));
  log_.info("termination.finished",
            {{"node", claim_.node().name}, {"result", name_of(result)}, {"seconds", took}});
}

void Termination::abandon(MessageOutcome outcome) {
  for (const LifecycleAction& action : our_actions()) crew_.heartbeats.remove(action);
  claim_.settle_rest(outcome);
}

TerminationStatus Termination::status() const {
  TerminationStatus status;
  status.instance_id = instance_id_;
  status.node = claim_.node().name;
  status.phase = phase_;
  status.pods_left = drain_->pods_left();
  status.started = claim_.claim().started;
  status.deadline = claim_.claim().deadline;
  return status;
}

}  // namespace ferryman::termination
