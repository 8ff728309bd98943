// SPDX-License-Identifier: Apache-2.0
// Sqs: the SQS calls that we make, over its JSON protocol (1.0, X-Amz-Target: AmazonSQS.<Operation>).
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "aws/service_client.h"
#include "termination/ports/message_queue.h"

namespace ferryman::aws {

class Sqs {
 public:
  /// The client must outlive this.
  explicit Sqs(ServiceClient& client) : client_(client) {}

  class Receive {
   public:
    Receive() = default;

    std::string queue_url;
    int most = limits::sqs_messages;  // 1–10
    std::chrono::seconds wait{0};     // 0–20
    std::chrono::seconds visibility{30};
  };

  /// ReceiveMessage with ApproximateReceiveCount. A message without a receipt handle is dropped with a
  /// warning: nothing can be done with it. A missing id or body is left empty. One attempt only: poll again.
  Task<Result<std::vector<termination::Message>>> receive_message(Receive what, Deadline deadline);

  /// DeleteMessageBatch: one result for each handle, in order; at most 10. An error: the whole call failed.
  Task<Result<std::vector<Result<void>>>> delete_messages(std::string queue_url,
                                                          std::vector<std::string> receipt_handles,
                                                          Deadline deadline);

  /// ChangeMessageVisibilityBatch: as above.
  Task<Result<std::vector<Result<void>>>> change_visibilities(std::string queue_url,
                                                              std::vector<termination::Hiding> wishes,
                                                              Deadline deadline);

  /// GetQueueUrl: of a queue of the own account.
  Task<Result<std::string>> queue_url(std::string queue_name, Deadline deadline);

  /// GetQueueAttributes. A missing attribute has its default: the queue has no such policy or key.
  Task<Result<termination::QueueFacts>> queue_attributes(std::string queue_url, Deadline deadline);

 private:
  Task<Result<std::vector<Result<void>>>> send_batch(Call call, std::size_t entries, Deadline deadline);

  ServiceClient& client_;
};

/// The ReceiveMessage answer: {} and {"Messages":[]} are both empty. Error: unexpected, when it is no such
/// thing. `dropped` counts what is not usable as a message.
Result<std::vector<termination::Message>> parse_messages(std::string_view body, int& dropped);

/// The answer of a batch call of `entries` entries, whose ids are "0", "1", …. An entry that the answer does
/// not name failed: unexpected. Error: unexpected, when it is no such answer.
Result<std::vector<Result<void>>> parse_batch(std::string_view body, std::size_t entries);

/// The GetQueueAttributes answer; SQS writes numbers as strings and the redrive policy as JSON in a string.
Result<termination::QueueFacts> parse_queue_facts(std::string_view body);

}  // namespace ferryman::aws
