// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/take_back_step.h"

#include <algorithm>

#include "termination/ports/marks.h"

namespace ferryman::termination::steps {

namespace {

bool is_ours(const Taint& taint, const Claim& claim) {
  if (taint.key == marks::out_of_service_key)
    return claim.out_of_service && taint.value == marks::out_of_service_value;
  return taint.key == marks::taint_key && (claim.tainted || claim.no_execute);
}

/// The marks that the claim names: what memory holds and what the Node says, since the answer to our newest
/// write may have been lost.
Claim marks_on(const Node& node, Claim claim) {
  const auto recorded = decode_claim(node.claim);
  if (recorded && recorded->events.front().instance_id == node.instance_id) add_marks(claim, *recorded);
  return claim;
}

/// Another value of the label is somebody else's. It is removed, not set to false: its mere presence counts.
NodePatch patch_for(const Node& node, const Claim& remembered) {
  const Claim claim = marks_on(node, remembered);
  NodePatch patch(node);
  patch.annotations[std::string(marks::claim_annotation)] = std::nullopt;
  if (claim.cordoned && node.unschedulable) patch.unschedulable = false;
  const auto label = node.labels.find(std::string(marks::exclude_label));
  if (claim.excluded && label != node.labels.end() && label->second == marks::exclude_value)
    patch.labels[label->first] = std::nullopt;
  std::vector<Taint> others;
  std::ranges::copy_if(node.taints, std::back_inserter(others),
                       [&](const Taint& taint) { return !is_ours(taint, claim); });
  if (others.size() < node.taints.size()) patch.taints = std::move(others);
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
    if (done.error().fault == Fault::not_found) {
      log_.info("target.pool_gone", {{"pool", where.pool}, {"port", where.port}});
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
