// SPDX-License-Identifier: Apache-2.0
// SqsMessageQueue: the product's MessageQueue over one SQS queue.
#pragma once

#include <string>

#include "aws/sqs.h"
#include "termination/ports/message_queue.h"

namespace ferryman::aws {

class SqsMessageQueue final : public termination::MessageQueue {
 public:
  /// `sqs` and the clock must outlive this.
  SqsMessageQueue(Sqs& sqs, const Clock& clock, std::string queue_url)
      : sqs_(sqs), clock_(clock), queue_url_(std::move(queue_url)) {}

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
  Sqs& sqs_;
  const Clock& clock_;
  std::string queue_url_;
};

}  // namespace ferryman::aws
