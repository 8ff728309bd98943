// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/after_marks_step.h"

namespace ferryman::termination::steps {

namespace {

constexpr Duration longest_write = std::chrono::seconds{5};

}  // namespace

Task<void> AfterMarksStep::drained(Deadline deadline) {
  if (!context_.policy.drain.no_execute_after || claim_.claim().no_execute) co_return;
  co_await write(EndTaint::no_execute, "node.no_execute", deadline);
}

Task<void> AfterMarksStep::off(Deadline deadline) {
  constexpr Duration fresh = std::chrono::seconds{5};
  if (!context_.policy.drain.out_of_service || claim_.claim().out_of_service) co_return;
  const auto seen = co_await facts_.look(instance_id_, fresh);
  if (!seen || !(seen->gone() || seen->state == "stopped")) co_return;
  co_await write(EndTaint::out_of_service, "node.out_of_service", deadline);
}

/// Best effort: the completion does not wait for it long.
Task<void> AfterMarksStep::write(EndTaint taint, std::string_view event, Deadline deadline) {
  if (claim_.node().name.empty()) co_return;
  claim_.mark(taint);
  const ClaimWrite written = co_await claim_.persist(deadline.at_most(context_.clock, longest_write));
  if (written == ClaimWrite::durable) log_.info(event, {{"node", claim_.node().name}});
}

}  // namespace ferryman::termination::steps
