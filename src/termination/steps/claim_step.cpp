// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/claim_step.h"

#include <algorithm>

#include "base/turn.h"
#include "termination/ports/marks.h"

namespace ferryman::termination::steps {

namespace {

constexpr std::string_view no_schedule = "NoSchedule";
constexpr std::string_view no_execute = "NoExecute";

/// Kubernetes tells taints apart by key and effect.
bool carries(const Node& node, std::string_view key, std::string_view effect) {
  return std::ranges::any_of(node.taints,
                             [&](const Taint& taint) { return taint.key == key && taint.effect == effect; });
}

/// What an earlier write recorded on the Node: an earlier run's, or ours whose answer was lost.
Claim recorded_on(const Node& node, const InstanceId& instance_id) {
  if (node.claim.empty()) return {};
  auto claim = decode_claim(node.claim);
  const bool same = claim && claim->events.front().instance_id == instance_id;
  return same ? std::move(*claim) : Claim();
}

}  // namespace

ClaimStep::ClaimStep(Context& context, Cluster& cluster, HeldMessages& held, InstanceId instance_id, Log log)
    : context_(context),
      cluster_(cluster),
      held_(held),
      instance_id_(std::move(instance_id)),
      log_(std::move(log)),
      written_(context.clock) {}

void ClaimStep::add(Event event, HeldMessagePtr message) {
  const std::string key = event.key();
  const bool known = claim_.holds(key);
  const std::size_t index = claim_.add(std::move(event));
  // What took an earlier notice's place is not on the Node yet.
  if (!known) durable_events_ = std::min(durable_events_, index);
  if (message == nullptr) return;
  if (index < durable_events_) {
    held_.settle(message, MessageOutcome::claimed);
  } else {
    waiting_.emplace_back(index, std::move(message));
  }
}

void ClaimStep::resume(Claim claim) {
  claim_ = std::move(claim);
  durable_events_ = claim_.events.size();
  if (claim_.begun()) level_ = claim_.action;
}

void ClaimStep::mark(EndTaint taint) {
  (taint == EndTaint::no_execute ? no_execute_ : out_of_service_) = true;
}

void ClaimStep::inherit(const Claim& earlier) {
  add_marks(claim_, earlier);
  claim_.deregistered = earlier.deregistered;
  claim_.left_at = earlier.left_at;
}

void ClaimStep::drop_plan(const std::string& plan, HeldMessagePtr message) {
  const auto of_plan = [&](const Event& event) { return event.change && event.change->plan == plan; };
  std::vector<std::pair<std::size_t, HeldMessagePtr>> kept;
  for (auto& [index, held] : std::exchange(waiting_, {})) {
    if (of_plan(claim_.events.at(index))) {
      held_.settle(held, MessageOutcome::handled);
      continue;
    }
    const auto end = claim_.events.begin() + static_cast<std::ptrdiff_t>(index);
    const auto before = std::count_if(claim_.events.begin(), end, of_plan);
    kept.emplace_back(index - static_cast<std::size_t>(before), std::move(held));
  }
  waiting_ = std::move(kept);
  std::erase_if(claim_.events, of_plan);
  durable_events_ = 0;  // the Node still says otherwise
  if (message != nullptr) waiting_.emplace_back(0, std::move(message));
}

void ClaimStep::settle_rest(MessageOutcome outcome) {
  for (const auto& [index, message] : std::exchange(waiting_, {})) held_.settle(message, outcome);
}

void ClaimStep::became_durable(std::size_t events) {
  durable_events_ = std::max(durable_events_, events);
  std::erase_if(waiting_, [&](const auto& entry) {
    if (entry.first >= durable_events_) return false;
    held_.settle(entry.second, MessageOutcome::claimed);
    return true;
  });
}

/// The name may be another object's by now. From the cache, whose age the patch's precondition checks; a
/// second attempt reads.
Task<Result<Node>> ClaimStep::current_node(Deadline deadline, bool first_attempt) {
  const Node* cached = cluster_.find_node(instance_id_);
  const bool named = !node_.name.empty();
  if (cached == nullptr && !named) co_return Error(Fault::not_found, "no Node carries " + instance_id_.str());
  if (cached != nullptr && (!named || (first_attempt && cached->uid == node_.uid))) co_return *cached;
  FERRYMAN_TRY(node, co_await cluster_.read_node(node_.name, deadline));
  const bool same = node.instance_id == instance_id_ && node.uid == node_.uid;
  if (!same) co_return Error(Fault::not_found, "the Node " + node_.name + " is another one now");
  co_return std::move(node);
}

/// True when the label is ours to set.
bool ClaimStep::excludes(const Node& node) const {
  return level_ == Action::drain && context_.policy.deregister &&
         !node.labels.contains(std::string(marks::exclude_label));
}

NodePatch ClaimStep::patch_for(const Node& node, const Claim& claim) const {
  NodePatch patch(node);
  patch.annotations[std::string(marks::claim_annotation)] = encode(claim);
  if (level_ >= Action::cordon && !node.unschedulable) patch.unschedulable = true;
  if (excludes(node)) patch.labels[std::string(marks::exclude_label)] = std::string(marks::exclude_value);
  const std::vector<Taint> missing = missing_taints(node);
  if (missing.empty()) return patch;
  patch.taints = node.taints;
  patch.taints->insert(patch.taints->end(), missing.begin(), missing.end());
  return patch;
}

/// The value of our taint says why it is there: kubectl shows it.
std::vector<Taint> ClaimStep::missing_taints(const Node& node) const {
  std::vector<Taint> missing;
  const auto want = [&](std::string_view key, std::string_view value, std::string_view effect) {
    if (!carries(node, key, effect))
      missing.emplace_back(std::string(key), std::string(value), std::string(effect));
  };
  const std::string_view why = claim_.events.empty() ? "" : name_of(claim_.events.front().kind);
  if (level_ >= Action::taint) want(marks::taint_key, why, no_schedule);
  if (no_execute_) want(marks::taint_key, why, no_execute);
  if (out_of_service_) want(marks::out_of_service_key, marks::out_of_service_value, no_execute);
  return missing;
}

/// The claim as the next write leaves it. A mark that is there before our first write is somebody else's,
/// unless a claim says that it is ours.
Claim ClaimStep::marked(const Node& node) const {
  Claim claim = claim_;
  add_marks(claim, recorded_on(node, instance_id_));
  claim.cordoned = claim.cordoned || (level_ >= Action::cordon && !node.unschedulable);
  claim.excluded = claim.excluded || excludes(node);
  for (const Taint& taint : missing_taints(node)) {
    const bool ours = taint.key == marks::taint_key;
    bool& flag = !ours ? claim.out_of_service : taint.effect == no_execute ? claim.no_execute : claim.tainted;
    flag = true;
  }
  if (level_ == Action::ignore) return claim;
  claim.action = level_;
  if (claim.boot_id.empty()) claim.boot_id = node.boot_id;
  claim.note_step(level_ == Action::taint ? "taint" : "cordon");
  return claim;
}

Task<Result<void>> ClaimStep::write_once(Deadline deadline, bool first_attempt) {
  const Deadline call = deadline.at_most(context_.clock, context_.policy.call_timeout);
  FERRYMAN_TRY(node, co_await current_node(call, first_attempt));
  node_.name = node.name;
  node_.uid = node.uid;
  node_.instance_id = node.instance_id;  // who drains without the right to patch knows it by that
  const Claim wanted = marked(node);
  const bool first = wanted.steps.size() > claim_.steps.size();
  FERRYMAN_TRY(written, co_await cluster_.patch_node(patch_for(node, wanted), call));
  node_ = std::move(written);
  add_marks(claim_, wanted);
  claim_.action = wanted.action;
  claim_.boot_id = wanted.boot_id;
  if (first) claim_.note_step(wanted.steps.back());
  became_durable(wanted.events.size());
  if (first) note_marked(wanted);
  co_return Result<void>();
}

void ClaimStep::note_marked(const Claim& claim) {
  WallTime oldest = claim.started;
  for (const Event& event : claim.events) {
    if (!event.voluntary()) oldest = std::min(oldest, event.event_time);
  }
  if (level_ >= Action::cordon)
    context_.metrics.seconds_to_cordon.observe(seconds(context_.clock.wall() - oldest));
  log_.info(level_ == Action::taint ? "node.tainted" : "node.cordoned",
            {{"node", node_.name}, {"deadline", format_rfc3339(claim.deadline)}});
}

/// A missing right, not a stale token. Not at once: an API server that has just started refuses what it will
/// allow a moment later.
bool ClaimStep::is_denied(const Error& error, int attempt) {
  constexpr int most_attempts = 4;
  if (!lacks_right(error)) return false;
  if (!denied_ && attempt < most_attempts) return false;
  if (!denied_) {
    log_.warn(
        "claim.denied",
        {{"node", node_.name},
         {"error", error},
         {"meanwhile", claim_.begun() ? "what was done since the node was marked is not recorded on it"
                                      : "draining a node that is not cordoned: new pods may come to it"},
         {"cure", "grant the verbs get and patch on nodes (deploy/rbac.yaml)"}});
  }
  denied_ = true;
  return true;
}

Task<ClaimWrite> ClaimStep::persist(Deadline deadline) {
  while (writing_) {
    if (deadline.passed(context_.clock)) co_return ClaimWrite::too_late;
    co_await written_.wait_until(deadline.at());
  }
  const Turn turn(writing_, written_);
  for (int attempt = 1; !sealed_; ++attempt) {
    const Result<void> answer = co_await write_once(deadline, attempt == 1);
    if (answer) co_return ClaimWrite::durable;
    if (answer.error().fault == Fault::not_found) co_return ClaimWrite::node_gone;
    if (is_denied(answer.error(), attempt)) co_return ClaimWrite::denied;
    Duration pause = patient_back_off(attempt, context_.random);
    if (answer.error().fault ==
        Fault::conflict) {  // somebody else wrote the Node: ordinary, read it and write again
      constexpr Duration short_pause = std::chrono::milliseconds{50};
      pause = std::min(pause, short_pause * attempt);
    } else {
      log_.warn("claim.not_written", {{"error", answer.error()}, {"retry_in", pause}});
    }
    if (deadline.left(context_.clock) <= pause) co_return ClaimWrite::too_late;
    co_await context_.clock.sleep_for(pause);
  }
  co_return ClaimWrite::too_late;
}

Task<void> ClaimStep::close(Deadline deadline) {
  if (node_.name.empty()) co_return;
  claim_.closed = context_.clock.wall();
  const ClaimWrite end = co_await persist(deadline);
  log_.debug("claim.closed", {{"written", end == ClaimWrite::durable}});
}

}  // namespace ferryman::termination::steps
