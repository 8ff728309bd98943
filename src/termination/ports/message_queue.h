// SPDX-License-Identifier: Apache-2.0
// MessageQueue: what the product asks of SQS. Adapter: aws/message_queue.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/task.h"

namespace ferryman::termination {

class Message {
 public:
  Message() = default;

  std::string id;
  std::string receipt_handle;  // of the newest receive: the only one that may be used
  std::string body;            // up to 1 MiB, any bytes
  int receive_count = 1;       // ApproximateReceiveCount; counts other consumers' receives too
};

class MessageQueue {
 public:
  virtual ~MessageQueue() = default;

  /// Long-polls for up to `wait` (at most 20 s) and hides what it returns for `visibility` (whole seconds).
  /// An empty list is a normal answer.
  virtual Task<Result<std::vector<Message>>> receive(int most, std::chrono::seconds wait,
                                                     std::chrono::seconds visibility, Deadline deadline) = 0;

  /// Deleting what is gone already is a success.
  virtual Task<Result<void>> remove(std::string receipt_handle, Deadline deadline) = 0;

  /// 0 s: the message is visible again at once. not_found or invalid: the handle is stale or the message
  /// gone.
  virtual Task<Result<void>> set_visibility(std::string receipt_handle, std::chrono::seconds visibility,
                                            Deadline deadline) = 0;
};

}  // namespace ferryman::termination
