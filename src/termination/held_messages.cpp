// SPDX-License-Identifier: Apache-2.0
#include "termination/held_messages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ferryman::termination {

namespace {

using std::chrono::seconds;

constexpr std::size_t most_remembered = 10'000;
constexpr int most_tries = 5;

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
    : context_(context), queue_(queue), calls_(calls) {}

HeldMessagePtr HeldMessages::hold(Message message, int parts) {
  auto held =
      std::make_shared<HeldMessage>(std::move(message), context_.clock.now() + context_.policy.visibility);
  held->open_parts = parts;
  held_[held->message.receipt_handle] = held;
  return held;
}

void HeldMessages::settle(const HeldMessagePtr& held, MessageOutcome outcome) {
  const MessageOutcome so_far = held->outcome.value_or(outcome);
  const MessageOutcome joined = weight(outcome) > weight(so_far) ? outcome : so_far;
  held->outcome = joined;
  if (--held->open_parts > 0 || held->disposed) return;
  held->disposed = true;
  held_.erase(held->message.receipt_handle);
  context_.metrics.messages[joined].add();
  const Disposal disposal = disposal_of(joined, context_.policy.queue_mode);
  context_.log.debug("message.settled", {{"message", held->message.id}, {"outcome", name_of(joined)}});
  if (disposal == Disposal::remove) calls_.spawn("message.remove", remove(held));
  if (disposal == Disposal::release) {
    calls_.spawn("message.release", release(held, release_after(held->message.id), context_.call_deadline()));
  }
}

int HeldMessages::releases_of(const std::string& message_id) const {
  const auto memory = releases_.find(message_id);
  return memory == releases_.end() ? 0 : memory->second;
}

seconds HeldMessages::release_after(const std::string& message_id) {
  constexpr int quick_releases = 6;
  constexpr double longest = 60;
  constexpr double spread = 0.3;
  const auto [memory, fresh] = releases_.try_emplace(message_id, 0);
  const int n = ++memory->second;
  if (fresh) {
    releases_order_.push_back(message_id);
    if (releases_order_.size() > most_remembered) {
      releases_.erase(releases_order_.front());
      releases_order_.pop_front();
    }
  }
  if (n <= quick_releases) return seconds{context_.random.below(2)};
  const double middle = std::min(std::pow(2.0, n - quick_releases), longest);
  const double jittered = middle * (1 - spread + 2 * spread * context_.random.unit());
  return seconds{std::max(1L, std::lround(jittered))};
}

Task<void> HeldMessages::remove(HeldMessagePtr held) {
  for (int attempt = 1;; ++attempt) {
    const std::vector<std::string> receipts{held->message.receipt_handle};
    const auto answers = co_await queue_.remove(receipts, context_.call_deadline());
    const Result<void>& answer = answers.front();
    if (answer) co_return;
    // It comes back when its visibility ends, and is known as repeated then.
    if (!is_retryable(answer.error().fault) || attempt == most_tries) {
      context_.log.warn("message.not_deleted", {{"message", held->message.id}, {"error", answer.error()}});
      co_return;
    }
    co_await context_.clock.sleep_for(patient_back_off(attempt, context_.random));
  }
}

Task<void> HeldMessages::release(HeldMessagePtr held, seconds visibility, Deadline deadline) {
  const std::vector<Hiding> wishes{Hiding(held->message.receipt_handle, visibility)};
  const auto answers = co_await queue_.set_visibility(wishes, deadline);
  const Result<void>& answer = answers.front();
  // It comes back when its visibility ends.
  if (!answer)
    context_.log.debug("message.not_released", {{"message", held->message.id}, {"error", answer.error()}});
}

Task<void> HeldMessages::extend(HeldMessagePtr held) {
  const SteadyTime asked = context_.clock.now();
  const seconds visibility = context_.policy.visibility;
  const std::vector<Hiding> wishes{Hiding(held->message.receipt_handle, visibility)};
  const auto answers = co_await queue_.set_visibility(wishes, context_.call_deadline());
  const Result<void>& answer = answers.front();
  if (answer) {
    held->hidden_until = asked + visibility;
  } else {
    context_.log.warn("message.not_kept_hidden", {{"message", held->message.id}, {"error", answer.error()}});
  }
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
  for (;;) {
    co_await context_.clock.sleep_for(period);
    give_back_forgotten();
    for (const auto& [receipt, held] : held_) {
      if (held->hidden_until - context_.clock.now() < 2 * period)
        calls_.spawn("message.extend", extend(held));
    }
  }
}

void HeldMessages::release_all(Deadline deadline) {
  for (const auto& [receipt, held] : std::exchange(held_, {})) {
    held->disposed = true;
    context_.metrics.messages[MessageOutcome::interrupted].add();
    calls_.spawn("message.release", release(held, seconds{0}, deadline));
  }
}

}  // namespace ferryman::termination
