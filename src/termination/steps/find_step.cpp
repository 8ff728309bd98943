// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/find_step.h"

namespace ferryman::termination::steps {

namespace {

constexpr Duration look_again = std::chrono::seconds{10};
constexpr Duration fresh_for = std::chrono::seconds{5};

}  // namespace

/// An instance in a warm pool has no Node that could be drained, whatever EC2 says of it. One that EC2 does
/// not know may be new: Auto Scaling has it in service then.
Task<bool> FindStep::gone() {
  const auto seen = co_await facts_.look(instance_id_, fresh_for);
  if (!seen) {
    log_.debug("instance.not_looked_up", {{"error", seen.error()}});
    co_return false;
  }
  if (seen->state == "terminated") co_return true;
  const auto state = co_await facts_.lifecycle_state(instance_id_);
  if (!state) {
    log_.debug("instance.not_looked_up", {{"error", state.error()}});
    co_return false;
  }
  co_return state->starts_with("Warmed:") || (seen->gone() && *state != "InService");
}

Task<bool> FindStep::is_off() {
  constexpr Duration off_fresh_for = std::chrono::seconds{30};
  const Node* node = cluster_.find_node(instance_id_);
  if (node == nullptr || node->ready) co_return false;
  const auto seen = co_await facts_.look(instance_id_, off_fresh_for);
  const bool off = seen && seen->gone();
  if (off) log_.info("instance.off", {{"reason", "EC2 has ended it, and its Node is still there"}});
  co_return off;
}

Task<Finding> FindStep::run(Deadline limit) {
  if (has_node()) co_return Finding::node;
  log_.info("node.awaited", {{"at_most", limit.left(context_.clock)}});
  SteadyTime look_at = context_.clock.now();
  for (;;) {
    // What an incomplete cache does not show may be there.
    if (cluster_.in_sync() && context_.clock.now() >= look_at) {
      const bool is_gone = co_await gone();
      if (has_node()) co_return Finding::node;
      if (is_gone) co_return Finding::gone;
      look_at = context_.clock.now() + look_again;
    }
    if (has_node()) co_return Finding::node;
    if (limit.passed(context_.clock)) co_return Finding::too_late;
    constexpr Duration short_wait = std::chrono::seconds{1};  // out of sync
    const SteadyTime next = cluster_.in_sync() ? look_at : context_.clock.now() + short_wait;
    co_await cluster_.nodes_changed().wait_until(std::min(limit.at(), next));
  }
}

}  // namespace ferryman::termination::steps
