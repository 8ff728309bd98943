// SPDX-License-Identifier: Apache-2.0
#include "termination/held_messages.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ferryman::termination {

namespace {

using std::chrono::seconds;

/// What holds a message back most wins: an event that nobody decided yet must not be lost with its
/// neighbours.
int weight(MessageOutcome outcome) {
  constexpr std::array order = {
      MessageOutcome::repeated,      MessageOutcome::handled,     MessageOutcome::claimed,
      MessageOutcome::ignored,       MessageOutcome::nobodys,     MessageOutcome::test,
      MessageOutcome::past_its_life, MessageOutcome::not_for_us,  MessageOutcome::foreign,
      MessageOutcome::not_managed,   MessageOutcome::undecided,   MessageOutcome::unparsable,
      MessageOutcome::interrupted,   MessageOutcome::not_in_sync,
  };
  return static_cast<int>(std::find(order.begin(), order.end(), outcome) - order.begin());
}

}  // namespace

HeldMessages::HeldMessages(Context& context, MessageQueue& queue, Scope& calls)
    : context_(context), outbox_(context, queue, calls) {}

HeldMessagePtr HeldMessages::hold(Message message, int parts, std::vector<InstanceId> instances) {
  auto held =
      std::make_shared<HeldMessage>(std::move(message), context_.clock.now() + context_.policy.visibility);
  held->open_parts = parts;
  held->instances = std::move(instances);
  held_[held->message.receipt_handle] = held;
  return held;
}

void HeldMessages::settle(const HeldMessagePtr& held, MessageOutcome outcome) {
  if (held == nullptr) return;
  const MessageOutcome so_far = held->outcome.value_or(outcome);
  const MessageOutcome joined = weight(outcome) > weight(so_far) ? outcome : so_far;
  held->outcome = joined;
  if (--held->open_parts > 0 || held->disposed) return;
  held->disposed = true;
  held_.erase(held->message.receipt_handle);
  const Disposal disposal = disposal_of(joined, context_.policy.queue_mode);
  if (joined == MessageOutcome::interrupted) {
    // It is ours, and wanted again as soon as what is in its way has ended: no back-off, unless that never
    // ends.
    constexpr int quick_releases = 20;
    const int n = releases_.count(held->message, held->instances);
    dispose(held->message, joined, disposal,
            n <= quick_releases ? seconds{1} : pause_of_release(n, context_.random));
  } else if (disposal == Disposal::release) {
    count(held->message, joined);
    release(held);
  } else {
    dispose(held->message, joined, disposal, seconds{0});
  }
}

void HeldMessages::dispose(const Message& message, MessageOutcome outcome, Disposal disposal, seconds pause) {
  count(message, outcome);
  if (disposal == Disposal::remove) {
    releases_.forget(message.id);
    outbox_.remove(message.id, message.receipt_handle);
  }
  if (disposal == Disposal::release) make_visible(message.id, message.receipt_handle, pause);
}

void HeldMessages::count(const Message& message, MessageOutcome outcome) {
  context_.metrics.messages[outcome].add();
  context_.log.debug("message.settled", {{"message", message.id}, {"outcome", name_of(outcome)}});
}

/// Remembered, so that it can be made visible before its time.
void HeldMessages::release(const HeldMessagePtr& held) {
  const Message& message = held->message;
  const int n = releases_.count(message, held->instances);
  const seconds pause = pause_of_release(n, context_.random);
  outbox_.set_visibility(Hiding(message.receipt_handle, pause),
                         [this, held, pause](const Result<void>& answer, SteadyTime asked) {
                           released(held, answer, answer ? asked + pause : held->hidden_until);
                         });
}

void HeldMessages::released(const HeldMessagePtr& held, const Result<void>& answer, SteadyTime hidden_until) {
  const Message& message = held->message;
  tell_unreleased(message.id, answer);
  const bool known = releases_.remembers(message.id);
  releases_.hidden(message.id, hidden_until);
  // Its Node appeared while the queue was being asked.
  if (!known && hidden_until > context_.clock.now())
    make_visible(message.id, message.receipt_handle, seconds{0});
}

void HeldMessages::make_visible(const std::string& message_id, const std::string& receipt_handle,
                                seconds pause) {
  outbox_.set_visibility(Hiding(receipt_handle, pause),
                         [this, message_id](const Result<void>& answer, SteadyTime /*asked*/) {
                           tell_unreleased(message_id, answer);
                         });
}

/// It comes back when its visibility ends.
void HeldMessages::tell_unreleased(const std::string& message_id, const Result<void>& answer) {
  if (!answer)
    context_.log.debug("message.not_released", {{"message", message_id}, {"error", answer.error()}});
}

void HeldMessages::node_appeared(const InstanceId& instance_id) {
  for (const auto& [message_id, receipt_handle] :
       releases_.forget_all_of(instance_id, context_.clock.now())) {
    make_visible(message_id, receipt_handle, seconds{0});
  }
}

void HeldMessages::extend(const HeldMessagePtr& held) {
  const seconds visibility = context_.policy.visibility;
  outbox_.set_visibility(Hiding(held->message.receipt_handle, visibility),
                         [this, held, visibility](const Result<void>& answer, SteadyTime asked) {
                           if (answer) {
                             held->hidden_until = asked + visibility;
                           } else if (!held->disposed) {
                             context_.log.warn("message.not_kept_hidden",
                                               {{"message", held->message.id}, {"error", answer.error()}});
                           }
                         });
}

/// What nobody but us holds any more nobody will settle: a bug, which must not cost the message.
void HeldMessages::give_back_forgotten() {
  std::vector<HeldMessagePtr> forgotten;
  for (const auto& [receipt, held] : held_) {
    if (held.use_count() == 1) forgotten.push_back(held);
  }
  for (const HeldMessagePtr& held : forgotten) {
    context_.log.warn("message.forgotten", {{"message", held->message.id}});
    held->open_parts = 1;
    settle(held, MessageOutcome::interrupted);
  }
}

Task<void> HeldMessages::run() {
  const Duration period = std::max<Duration>(context_.policy.visibility / 4, seconds{1});
  constexpr Duration call_time = seconds{1};
  for (;;) {
    co_await context_.clock.sleep_for(period);
    give_back_forgotten();
    for (const auto& [receipt, held] : held_) {
      // One that fails is tried again a period later, and in time.
      if (held->hidden_until - context_.clock.now() < 2 * period + call_time) extend(held);
    }
  }
}

void HeldMessages::release_all(Deadline deadline) {
  for (const auto& [receipt, held] : std::exchange(held_, {})) {
    held->disposed = true;
    context_.metrics.messages[MessageOutcome::interrupted].add();
    make_visible(held->message.id, receipt, seconds{0});
  }
  outbox_.flush(deadline);
}

}  // namespace ferryman::termination
