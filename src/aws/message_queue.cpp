// SPDX-License-Identifier: Apache-2.0
#include "aws/message_queue.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferryman::aws {

using std::chrono::seconds;

namespace {

/// How long an answer may be on its way after the wait.
constexpr seconds answer_time{2};

seconds affordable(seconds wait, Duration left) {
  const auto most = std::chrono::floor<seconds>(left) - answer_time;
  return std::clamp(std::min(wait, most), seconds{0}, limits::sqs_wait);
}

/// The call's own failure is each entry's.
std::vector<Result<void>> for_each(Result<std::vector<Result<void>>> batch, std::size_t count) {
  if (batch) return std::move(*batch);
  return std::vector<Result<void>>(count, batch.error());
}

}  // namespace

Task<Result<std::string>> SqsMessageQueue::url(Deadline deadline) {
  if (!address_.url.empty()) co_return address_.url;
  auto found = co_await sqs_.queue_url(address_.name, deadline);
  if (!found) co_return found.error().within(fmt::format("finding the queue \"{}\"", address_.name));
  address_.url = *found;
  co_return found;
}

Task<Result<std::vector<termination::Message>>> SqsMessageQueue::receive(int most, seconds wait,
                                                                         seconds visibility,
                                                                         Deadline deadline) {
  FERRYMAN_TRY(queue_url, co_await url(deadline));
  Sqs::Receive what;
  what.queue_url = queue_url;
  what.most = std::clamp(most, 1, limits::sqs_messages);
  what.wait = affordable(wait, deadline.left(clock_));
  what.visibility = std::clamp(visibility, seconds{0}, limits::sqs_visibility);
  co_return co_await sqs_.receive_message(std::move(what), deadline);
}

Task<std::vector<Result<void>>> SqsMessageQueue::remove(std::vector<std::string> receipt_handles,
                                                        Deadline deadline) {
  const std::size_t count = receipt_handles.size();
  if (count == 0) co_return std::vector<Result<void>>();
  auto results = for_each(co_await delete_all(std::move(receipt_handles), deadline), count);
  // SQS itself calls it a success when the message is gone; some of its emulators say this.
  for (Result<void>& removed : results) {
    if (!removed && removed.error().code == "ReceiptHandleIsInvalid") removed = Result<void>();
  }
  co_return results;
}

Task<std::vector<Result<void>>> SqsMessageQueue::set_visibility(std::vector<termination::Hiding> wishes,
                                                                Deadline deadline) {
  const std::size_t count = wishes.size();
  if (count == 0) co_return std::vector<Result<void>>();
  for (termination::Hiding& wish : wishes)
    wish.visibility = std::clamp(wish.visibility, seconds{0}, limits::sqs_visibility);
  co_return for_each(co_await hide_all(std::move(wishes), deadline), count);
}

Task<Result<std::vector<Result<void>>>> SqsMessageQueue::delete_all(std::vector<std::string> receipt_handles,
                                                                    Deadline deadline) {
  FERRYMAN_TRY(queue_url, co_await url(deadline));
  co_return co_await sqs_.delete_messages(queue_url, std::move(receipt_handles), deadline);
}

Task<Result<std::vector<Result<void>>>> SqsMessageQueue::hide_all(std::vector<termination::Hiding> wishes,
                                                                  Deadline deadline) {
  FERRYMAN_TRY(queue_url, co_await url(deadline));
  co_return co_await sqs_.change_visibilities(queue_url, std::move(wishes), deadline);
}

Task<Result<termination::QueueFacts>> SqsMessageQueue::facts(Deadline deadline) {
  FERRYMAN_TRY(queue_url, co_await url(deadline));
  co_return co_await sqs_.queue_attributes(queue_url, deadline);
}

}  // namespace ferryman::aws
