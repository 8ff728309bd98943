// SPDX-License-Identifier: Apache-2.0
#include "termination/outbox.h"

#include <algorithm>
#include <utility>

namespace ferryman::termination {

namespace {

constexpr std::size_t most_at_once = 10;  // SQS's own limit
constexpr int most_tries = 5;

}  // namespace

void Outbox::remove(std::string message_id, std::string receipt_handle) {
  drop_wish(receipt_handle);
  removals_.push_back({std::move(message_id), std::move(receipt_handle)});
  send_soon();
}

// Two entries of one call have no order.
void Outbox::set_visibility(Hiding wish, Answered answered) {
  drop_wish(wish.receipt_handle);
  wishes_.push_back({std::move(wish), std::move(answered)});
  send_soon();
}

void Outbox::drop_wish(const std::string& receipt_handle) {
  std::erase_if(wishes_, [&](const Wish& wish) { return wish.hiding.receipt_handle == receipt_handle; });
}

void Outbox::flush(Deadline stop_by) {
  stop_by_ = stop_by;
  send();
}

void Outbox::send_soon() {
  if (removals_.size() == most_at_once || wishes_.size() == most_at_once) {
    send();
  } else if (!sending_soon_) {
    sending_soon_ = true;
    calls_.spawn("outbox", send_later());
  }
}

Task<void> Outbox::send_later() {
  constexpr Duration window = std::chrono::milliseconds{20};
  co_await context_.clock.sleep_for(window);
  sending_soon_ = false;
  send();
}

void Outbox::send() {
  if (!removals_.empty()) calls_.spawn("messages.remove", send_removals(std::exchange(removals_, {})));
  if (!wishes_.empty()) calls_.spawn("messages.hide", send_wishes(std::exchange(wishes_, {})));
}

Deadline Outbox::call_deadline() const {
  const Deadline usual = context_.call_deadline();
  return stop_by_ ? usual.earlier(*stop_by_) : usual;
}

Task<void> Outbox::send_removals(std::vector<Removal> batch) {
  for (int attempt = 1; !batch.empty(); ++attempt) {
    std::vector<std::string> receipt_handles;
    for (const Removal& removal : batch) receipt_handles.push_back(removal.receipt_handle);
    const auto answers = co_await queue_.remove(std::move(receipt_handles), call_deadline());
    batch = failed_of(batch, answers, attempt == most_tries);
    if (!batch.empty()) co_await context_.clock.sleep_for(patient_back_off(attempt, context_.random));
  }
}

/// Those that are worth another try; the others come back when their visibility ends, and are known as
/// repeated then.
std::vector<Outbox::Removal> Outbox::failed_of(const std::vector<Removal>& batch,
                                               const std::vector<Result<void>>& answers, bool last_try) {
  std::vector<Removal> again;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (answers.at(i)) continue;
    const Error& error = answers.at(i).error();
    if (is_retryable(error.fault) && !last_try) {
      again.push_back(batch.at(i));
    } else {
      context_.log.warn("message.not_deleted", {{"message", batch.at(i).message_id}, {"error", error}});
    }
  }
  return again;
}

Task<void> Outbox::send_wishes(std::vector<Wish> batch) {
  std::vector<Hiding> hidings;
  for (const Wish& wish : batch) hidings.push_back(wish.hiding);
  const SteadyTime asked = context_.clock.now();
  const auto answers = co_await queue_.set_visibility(std::move(hidings), call_deadline());
  for (std::size_t i = 0; i < batch.size(); ++i) batch.at(i).answered(answers.at(i), asked);
}

}  // namespace ferryman::termination
