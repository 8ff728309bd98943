// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/take_back_step.h"

#include "termination/ports/marks.h"

namespace ferryman::termination::steps {

namespace {

NodePatch patch_for(const Node& node, const Claim& claim) {
  NodePatch patch(node);
  patch.annotations[std::string(marks::claim_annotation)] = std::nullopt;
  if (claim.cordoned && node.unschedulable) patch.unschedulable = false;
  const std::string label(marks::exclude_label);
  if (claim.excluded && node.labels.contains(label)) patch.labels[label] = std::nullopt;
  if (claim.tainted) {
    patch.taints.emplace();
    for (const Taint& taint : node.taints) {
      if (taint.key != marks::taint_key) patch.taints->push_back(taint);
    }
  }
  return patch;
}

}  // namespace

Task<Result<void>> TakeBackStep::put_back(const Deregistration& where, Deadline deadline) {
  for (int attempt = 1;; ++attempt) {
    const Result<void> done = co_await arrivals_.put_back(instance_id_, where);
    if (done || !is_retryable(done.error().fault)) co_return done;
    const Duration pause = patient_back_off(attempt, context_.random);
    if (hurried_ || deadline.left(context_.clock) <= pause) co_return done;
    co_await context_.clock.sleep_for(pause);
  }
}

Task<void> TakeBackStep::register_again(const Claim& claim, Deadline deadline) {
  for (const Deregistration& where : claim.deregistered) {
    if (hurried_) co_return;
    const Result<void> done = co_await put_back(where, deadline);
    if (done) {
      log_.info("target.registered_again", {{"pool", where.pool}, {"port", where.port}});
      continue;
    }
    log_.warn("target.not_registered_again",
              {{"pool", where.pool},
               {"port", where.port},
               {"error", done.error()},
               {"cure",
                "register the instance by hand, and grant elasticloadbalancing:RegisterTargets and "
                "RegisterInstancesWithLoadBalancer"}});
  }
}

Task<Result<void>> TakeBackStep::clear_once(const Claim& claim, bool first_attempt) {
  const Node* cached = cluster_.find_node(instance_id_);
  if (cached == nullptr) co_return Result<void>();
  Node node = *cached;
  if (!first_attempt) {
    FERRYMAN_TRY(read, co_await cluster_.read_node(node.name, context_.call_deadline()));
    node = std::move(read);
  }
  if (node.instance_id != instance_id_) co_return Result<void>();
  FERRYMAN_TRY(written, co_await cluster_.patch_node(patch_for(node, claim), context_.call_deadline()));
  (void)written;
  co_return Result<void>();
}

Task<bool> TakeBackStep::run(Claim claim, std::string reason, Deadline deadline) {
  co_await register_again(claim, deadline);
  if (hurried_) co_return false;
  for (int attempt = 1;; ++attempt) {
    const Result<void> done = co_await clear_once(claim, attempt == 1);
    if (done || done.error().fault == Fault::not_found) break;
    Duration pause = patient_back_off(attempt, context_.random);
    if (done.error().fault == Fault::conflict) {
      constexpr Duration short_pause = std::chrono::milliseconds{50};
      pause = std::min(pause, short_pause * attempt);
    } else {
      log_.warn("marks.not_taken_back", {{"error", done.error()}, {"retry_in", pause}});
    }
    if (hurried_ || deadline.left(context_.clock) <= pause) co_return false;
    co_await context_.clock.sleep_for(pause);
  }
  context_.metrics.marks_taken_back.add();
  log_.info("marks.taken_back", {{"reason", reason}, {"targets", claim.deregistered.size()}});
  co_return true;
}

}  // namespace ferryman::termination::steps
