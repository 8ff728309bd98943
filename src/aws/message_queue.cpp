// SPDX-License-Identifier: Apache-2.0
#include "aws/message_queue.h"

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

}  // namespace

Task<Result<std::vector<termination::Message>>> SqsMessageQueue::receive(int most, seconds wait,
                                                                         seconds visibility,
                                                                         Deadline deadline) {
  Sqs::Receive what;
  what.queue_url = queue_url_;
  what.most = std::clamp(most, 1, limits::sqs_messages);
  what.wait = affordable(wait, deadline.left(clock_));
  what.visibility = std::clamp(visibility, seconds{0}, limits::sqs_visibility);
  co_return co_await sqs_.receive_message(std::move(what), deadline);
}

Task<Result<void>> SqsMessageQueue::remove(std::string receipt_handle, Deadline deadline) {
  auto removed = co_await sqs_.delete_message(queue_url_, std::move(receipt_handle), deadline);
  // SQS itself says 200 for a message that is gone; some of its emulators say this.
  if (!removed && removed.error().code == "ReceiptHandleIsInvalid") co_return Result<void>();
  co_return removed;
}

Task<Result<void>> SqsMessageQueue::set_visibility(std::string receipt_handle, seconds visibility,
                                                   Deadline deadline) {
  const seconds allowed = std::clamp(visibility, seconds{0}, limits::sqs_visibility);
  co_return co_await sqs_.change_message_visibility(queue_url_, std::move(receipt_handle), allowed, deadline);
}

}  // namespace ferryman::aws
