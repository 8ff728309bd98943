// SPDX-License-Identifier: Apache-2.0
// ShadowQueue: a MessageQueue that takes nothing away. It receives without hiding anything from the queue's
// other readers, keeps in mind what it would have hidden or deleted, and hands that up only when a queue
// would.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/log.h"
#include "termination/ports/message_queue.h"

namespace ferryman::termination::shadow {

class ShadowQueue final : public MessageQueue {
 public:
  /// Both must outlive this.
  ShadowQueue(Clock& clock, Log log, MessageQueue& real) : clock_(clock), log_(std::move(log)), real_(real) {}

  Task<Result<std::vector<Message>>> receive(int most, std::chrono::seconds wait,
                                             std::chrono::seconds visibility, Deadline deadline) override;
  Task<std::vector<Result<void>>> remove(std::vector<std::string> receipt_handles,
                                         Deadline deadline) override;
  Task<std::vector<Result<void>>> set_visibility(std::vector<Hiding> wishes, Deadline deadline) override;
  Task<Result<QueueFacts>> facts(Deadline deadline) override { return real_.facts(deadline); }

 private:
  struct Row {
    std::string handle;         // of the newest receive that was handed up
    SteadyTime hidden_until{};  // SteadyTime::max(): deleted
    SteadyTime seen{};
  };

  [[nodiscard]] std::vector<Message> visible(std::vector<Message> received, std::chrono::seconds visibility);
  Row* row_of(const std::string& handle);
  void forget_old();

  Clock& clock_;
  Log log_;
  MessageQueue& real_;
  std::map<std::string, Row> rows_;            // by message id
  std::map<std::string, std::string> owners_;  // handle to message id
};

}  // namespace ferryman::termination::shadow
