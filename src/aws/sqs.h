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

  Task<Result<void>> delete_message(std::string queue_url, std::string receipt_handle, Deadline deadline);

  Task<Result<void>> change_message_visibility(std::string queue_url, std::string receipt_handle,
                                               std::chrono::seconds visibility, Deadline deadline);

 private:
  ServiceClient& client_;
};

/// The ReceiveMessage answer: {} and {"Messages":[]} are both empty. Error: unexpected, when it is no such
/// thing. `dropped` counts what is not usable as a message.
Result<std::vector<termination::Message>> parse_messages(std::string_view body, int& dropped);

}  // namespace ferryman::aws
