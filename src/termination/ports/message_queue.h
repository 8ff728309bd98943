// SPDX-License-Identifier: Apache-2.0
// MessageQueue: what the product asks of SQS. Adapter: aws/message_queue.
#pragma once

#include <chrono>
#include <optional>
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

/// GetQueueAttributes: what about the queue can harm us.
class QueueFacts {
 public:
  QueueFacts() = default;

  std::string arn;
  std::string account;            // that it belongs to: a part of its ARN
  std::chrono::seconds delay{0};  // before a new message can be received
  std::chrono::seconds retention{345'600};
  std::optional<int> most_receives;  // maxReceiveCount of the redrive policy; empty: it has none
  std::string kms_key;               // KmsMasterKeyId; empty: SQS's own encryption or none
};

/// A wish for `set_visibility`.
class Hiding {
 public:
  Hiding() = default;
  Hiding(std::string receipt_handle_in, std::chrono::seconds visibility_in)
      : receipt_handle(std::move(receipt_handle_in)), visibility(visibility_in) {}

  std::string receipt_handle;
  std::chrono::seconds visibility{0};
};

class MessageQueue {
 public:
  virtual ~MessageQueue() = default;

  /// Long-polls for up to `wait` (at most 20 s) and hides what it returns for `visibility` (whole seconds).
  /// An empty list is a normal answer.
  virtual Task<Result<std::vector<Message>>> receive(int most, std::chrono::seconds wait,
                                                     std::chrono::seconds visibility, Deadline deadline) = 0;

  /// One call for up to 10 messages; one result for each, in order. Deleting what is gone already is a
  /// success.
  virtual Task<std::vector<Result<void>>> remove(std::vector<std::string> receipt_handles,
                                                 Deadline deadline) = 0;

  /// One call for up to 10 messages; one result for each, in order. 0 s: the message is visible again at
  /// once. not_found or invalid: the handle is stale or the message gone.
  virtual Task<std::vector<Result<void>>> set_visibility(std::vector<Hiding> wishes, Deadline deadline) = 0;

  virtual Task<Result<QueueFacts>> facts(Deadline deadline) = 0;
};

}  // namespace ferryman::termination
