// SPDX-License-Identifier: Apache-2.0
#include "termination/termination.h"

#include <algorithm>

namespace ferryman::termination {

namespace {

constexpr Duration longest_look_up = std::chrono::seconds{3};  // of hooks: the cordon waits for it
constexpr Duration longest_write = std::chrono::seconds{5};    // before the completion, which must not wait
constexpr Duration longest_close = std::chrono::seconds{30};

}  // namespace

Termination::Termination(Crew& crew, InstanceId instance_id)
    : crew_(crew),
      context_(crew.context),
      instance_id_(std::move(instance_id)),
      log_(crew.context.log.with({{"instance", instance_id_}})),
      claim_(crew.context, crew.ports.cluster, crew.held, instance_id_, log_),
      actions_(crew.context, crew.heartbeats, crew.catalog, claim_.claim().events),
      find_(crew.context, crew.ports.cluster, crew.facts, instance_id_, log_),
      complete_(crew.context, crew.ports.cloud, log_),
      narrator_(std::make_shared<Narrator>(crew.context, crew.ports.notices, instance_id_)),
      evacuation_(crew, claim_, plan_, narrator_, log_),
      turn_(crew.context, crew.ports.cluster, crew.voluntary, crew.pause, claim_, instance_id_, log_),
      take_back_(crew.context, crew.ports.cluster, crew.arrivals, instance_id_, log_) {
  claim_.claim().started = context_.clock.wall();
  cordoning_.emplace(crew.barrier);
}

void Termination::join(const Event& event, HeldMessagePtr message, Action action) {
  const bool known = claim_.claim().holds(event.key());
  log_.info(known ? "event.repeated" : "event.joined",
            {{"kind", name_of(event.kind)},
             {"event_id", event.event_id},
             {"action", name_of(action)},
             {"message", message == nullptr ? std::string() : message->message.id}});
  if (!known && !event.action && claim_.claim().full()) {
    settled_at_the_end_.push_back(std::move(message));
    return;
  }
  if (!known) actions_.keep_alive(event);
  if (events().empty()) narrator_->tell_started(event);
  action_ = std::max(action_, action);
  claim_.claim().action = action_;
  claim_.add(event, std::move(message));
  if (!known && phase_ > Phase::resolve) replan();
  if (!known && phase_ > Phase::cordon)
    crew_.calls.spawn("claim.persist", persist_joined(shared_from_this()));
  turn_.changed().notify_all();
}

void Termination::cancel_plan(const std::string& plan, HeldMessagePtr message) {
  log_.info("plan.cancelled", {{"plan", plan}});
  claim_.drop_plan(plan, std::move(message));
  if (events().empty()) {
    take_back("AWS cancelled the scheduled change");
    return;
  }
  if (phase_ > Phase::resolve) replan();
  turn_.changed().notify_all();
  if (phase_ > Phase::cordon) crew_.calls.spawn("claim.persist", persist_joined(shared_from_this()));
}

void Termination::take_back(std::string reason) {
  take_back_because_ = std::move(reason);
  evacuation_.call_off();
  if (phase_ > Phase::resolve) replan();
  turn_.changed().notify_all();
}

void Termination::resume(Claim claim) {
  for (const Event& event : claim.events) actions_.keep_alive(event);
  if (!claim.events.empty()) narrator_->set_event(claim.events.front());
  action_ = claim.action;
  claim_.resume(std::move(claim));
  evacuation_.resume();
}

/// Facts about the hooks, then the plan. Without the facts the plan is made for the shortest hook that AWS
/// allows.
Task<void> Termination::resolve() {
  enter(Phase::resolve);
  co_await actions_.learn_hooks(Deadline::after(context_.clock, longest_look_up));
  replan();
}

/// A later event may shorten the deadlines.
void Termination::replan() {
  const Claim& claim = claim_.claim();
  plan_ = make_plan(claim.events, actions_.known_hooks(), context_.policy, claim.started, context_.moment());
  if (off_since_) hasten(plan_, *off_since_);
  if (!take_back_because_.empty()) plan_.deadline = context_.clock.now();  // whatever waits, waits no more
  claim_.claim().deadline = context_.moment().wall_of(plan_.deadline);
  evacuation_.replan();
}

Task<steps::Finding> Termination::find_node() {
  if (crew_.ports.cluster.find_node(instance_id_) != nullptr) co_return steps::Finding::node;
  enter(Phase::find);
  cordoning_.reset();
  const Deadline limit = Deadline::after(context_.clock, context_.policy.missing_node_limit);
  const steps::Finding finding = co_await find_.run(limit.earlier(Deadline(plan_.deadline)));
  cordoning_.emplace(crew_.barrier);
  co_return finding;
}

/// Meanwhile it is not among those that will be cordoned in a moment.
Task<void> Termination::wait_for_turn() {
  if (turn_.has_come()) co_return;
  enter(Phase::wait);
  cordoning_.reset();
  co_await turn_.wait([this] { return !take_back_because_.empty(); });
  cordoning_.emplace(crew_.barrier);
  claim_.claim().started = context_.clock.wall();
  replan();
}

Task<steps::ClaimWrite> Termination::cordon() {
  enter(Phase::cordon);
  claim_.mark(action_);
  if (action_ == Action::drain) evacuation_.foresee();
  const steps::ClaimWrite written = co_await claim_.persist(Deadline(plan_.deadline));
  cordoning_.reset();
  narrator_->set_node(claim_.node());
  if (written == steps::ClaimWrite::durable) narrator_->tell_marked(action_, events().front());
  co_return written;
}

Task<void> Termination::deregister() {
  if (!context_.policy.deregister) co_return;
  enter(Phase::deregister);
  co_await evacuation_.leave_balancers();
}

/// No kubelet confirms anything any more then.
Task<void> Termination::watch_whether_off(std::shared_ptr<Termination> self) {
  constexpr Duration period = std::chrono::seconds{15};
  while (self->phase_ == Phase::drain && !self->off_since_) {
    if (co_await self->find_.is_off()) {
      self->off_since_ = self->context_.clock.now();
      self->replan();
      co_await self->evacuation_.note_off();
    }
    co_await self->context_.clock.sleep_for(period);
  }
}

Task<TerminationResult> Termination::drain() {
  enter(Phase::drain);
  crew_.work.spawn("termination.watch", watch_whether_off(shared_from_this()));
  co_return co_await evacuation_.drain();
}

Task<TerminationResult> Termination::settle(TerminationResult so_far) {
  if (!context_.policy.deregister) co_return so_far;
  enter(Phase::settle);
  const TerminationResult settled = co_await evacuation_.settle();
  co_return settled == TerminationResult::completed ? so_far : settled;
}

/// What joined while we drained: a long drain should not hold its messages.
Task<void> Termination::persist_joined(std::shared_ptr<Termination> self) {
  const Deadline deadline = Deadline::after(self->context_.clock, longest_write);
  while (self->claim_.has_unwritten()) {
    const steps::ClaimWrite written = co_await self->claim_.persist(deadline);
    if (written != steps::ClaimWrite::durable) co_return;
  }
}

Task<TerminationResult> Termination::complete(TerminationResult so_far, CompletionResult answer) {
  if (so_far != TerminationResult::node_gone) co_await persist_joined(shared_from_this());
  enter(Phase::complete);
  const bool all = co_await actions_.complete(complete_, answer, plan_);
  closing_ = true;
  claim_.claim().note_step("complete");
  claim_.claim().completed = all && so_far == TerminationResult::completed;
  claim_.settle_rest(MessageOutcome::handled);
  if (so_far != TerminationResult::node_gone)
    co_await claim_.close(Deadline::after(context_.clock, longest_close));
  co_return all ? so_far : TerminationResult::cut_short;
}

/// The instance runs, but no Node came: what it may do in load balancers is ended, then the policy decides.
Task<TerminationResult> Termination::go_without_node() {
  const AtLimit at_limit = context_.policy.missing_node_at_limit;
  log_.warn("node.missing", {{"waited", context_.clock.wall() - claim_.claim().started},
                             {"cure",
                              "see why the instance did not join; --missing-node-limit and "
                              "--missing-node-at-limit say how long it may take and what comes then"}});
  if (actions_.all().empty() || at_limit == AtLimit::leave) {
    abandon(MessageOutcome::handled);
    co_return TerminationResult::node_gone;
  }
  co_await deregister();
  const TerminationResult settled = co_await settle(TerminationResult::node_gone);
  const auto answer = at_limit == AtLimit::abandon ? CompletionResult::abandon : CompletionResult::proceed;
  (void)co_await complete(TerminationResult::node_gone, answer);
  co_return settled;
}

Task<TerminationResult> Termination::empty_node() {
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
  } else if (action_ == Action::drain) {
    co_await deregister();
    result = co_await drain();
  }
  if (action_ == Action::drain) result = co_await settle(result);
  co_return result;
}

Task<TerminationResult> Termination::work() {
  co_await resolve();
  const steps::Finding finding = co_await find_node();
  if (finding == steps::Finding::gone) {
    log_.info("node.gone", {{"reason", "the instance has ended or went to a warm pool: nothing to drain"}});
    co_return co_await complete(TerminationResult::node_gone);
  }
  if (finding == steps::Finding::too_late && take_back_because_.empty()) co_return co_await go_without_node();
  co_await wait_for_turn();
  while (take_back_because_.empty()) {
    const Action level = action_;
    const TerminationResult result = co_await empty_node();
    if (take_back_because_.empty() && should_undo(result)) take_back("its drain was not done in time");
    if (!take_back_because_.empty()) break;
    // An event that asks for more may have joined meanwhile.
    if (action_ == level) co_return co_await complete(result);
  }
  co_return TerminationResult::cancelled;
}

/// Nothing forces an end that may come to nothing: the node can serve on.
bool Termination::should_undo(TerminationResult result) const {
  return result == TerminationResult::cut_short && plan_.voluntary && context_.policy.drain.undo_failed;
}

Task<void> Termination::undo() {
  constexpr Duration longest = std::chrono::minutes{5};
  closing_ = true;
  claim_.seal();
  co_await evacuation_.calls_over(Deadline::after(context_.clock, 2 * context_.policy.call_timeout));
  const bool done =
      co_await take_back_.run(claim_.claim(), take_back_because_, Deadline::after(context_.clock, longest));
  abandon(done ? MessageOutcome::handled : MessageOutcome::interrupted);
}

Task<TerminationResult> Termination::run() {
  TerminationResult result = TerminationResult::cancelled;
  if (take_back_because_.empty()) result = co_await work();
  if (result == TerminationResult::cancelled) co_await undo();
  abandon(MessageOutcome::handled);
  const Duration took = context_.clock.wall() - claim_.claim().started;
  context_.metrics.seconds_to_complete.observe(seconds(took));
  log_.info("termination.finished",
            {{"node", claim_.node().name}, {"result", name_of(result)}, {"seconds", took}});
  narrator_->tell_end(result, took, take_back_because_);
  co_return result;
}

void Termination::abandon(MessageOutcome outcome) {
  actions_.abandon();
  for (const HeldMessagePtr& message : std::exchange(settled_at_the_end_, {}))
    crew_.held.settle(message, outcome);
  claim_.settle_rest(outcome);
}

TerminationStatus Termination::status() const {
  TerminationStatus status;
  status.instance_id = instance_id_;
  status.node = claim_.node().name;
  status.phase = phase_;
  status.pods_left = evacuation_.pods_left();
  status.waits_for = evacuation_.waits_for();
  status.started = claim_.claim().started;
  status.deadline = claim_.claim().deadline;
  return status;
}

}  // namespace ferryman::termination
