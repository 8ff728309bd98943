// SPDX-License-Identifier: Apache-2.0
// SqsMessageQueue: the product's MessageQueue over one SQS queue.
#pragma once

#include <string>

#include "aws/queue_address.h"
#include "aws/sqs.h"
#include "termination/ports/message_queue.h"

namespace ferryman::aws {

class SqsMessageQueue final : public termination::MessageQueue {
 public:
  /// `sqs` and the clock must outlive this. A queue that is known by its name alone is looked up before the
  /// first call, and again until it is found.
  SqsMessageQueue(Sqs& sqs, const Clock& clock, QueueAddress address)
      : sqs_(sqs), clock_(clock), address_(std::move(address)) {}

  /// The wait is cut to what the deadline leaves for it: an answer that we no longer hear hides its messages.
  Task<Result<std::vector<termination::Message>>> receive(int most, std::chrono::seconds wait,
                                                          std::chrono::seconds visibility,
                                                          Deadline deadline) override;
  Task<std::vector<Result<void>>> remove(std::vector<std::string> receipt_handles,
                                         Deadline deadline) override;
  Task<std::vector<Result<void>>> set_visibility(std::vector<termination::Hiding> wishes,
                                                 Deadline deadline) override;
  Task<Result<termination::QueueFacts>> facts(Deadline deadline) override;

 private:
  Task<Result<std::string>> url(Deadline deadline);
  Task<Result<std::vector<Result<void>>>> delete_all(std::vector<std::string> receipt_handles,
                                                     Deadline deadline);
  Task<Result<std::vector<Result<void>>>> hide_all(std::vector<termination::Hiding> wishes,
                                                   Deadline deadline);

  Sqs& sqs_;
  const Clock& clock_;
  QueueAddress address_;
};

}  // namespace ferryman::aws
