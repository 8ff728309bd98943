// SPDX-License-Identifier: Apache-2.0
// FakeQueue: SQS as far as the product sees it: visibility, receive counts, receipts that go stale.
// Operations in the script: queue.receive, queue.remove, queue.set_visibility.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "termination/ports/message_queue.h"
#include "unit/termination/fakes/script.h"

namespace ferryman::test {

class FakeQueue final : public termination::MessageQueue {
 public:
  FakeQueue(Clock& clock, Script& script) : clock_(clock), script_(script), arrived_(clock) {}

  void send(const std::string& id, std::string body);

  Task<Result<std::vector<termination::Message>>> receive(int most, std::chrono::seconds wait,
                                                          std::chrono::seconds visibility,
                                                          Deadline deadline) override;
  Task<Result<void>> remove(std::string receipt_handle, Deadline deadline) override;
  Task<Result<void>> set_visibility(std::string receipt_handle, std::chrono::seconds visibility,
                                    Deadline deadline) override;

  [[nodiscard]] bool holds(const std::string& id) const { return stored_.contains(id); }
  [[nodiscard]] bool visible(const std::string& id) const;
  [[nodiscard]] int receives(const std::string& id) const { return stored_.at(id).receive_count; }
  [[nodiscard]] std::size_t size() const { return stored_.size(); }

  /// The seconds of each set_visibility, in order.
  std::vector<std::chrono::seconds> visibilities;

 private:
  struct Stored {
    std::string body;
    std::string receipt;
    SteadyTime visible_at;
    int receive_count = 0;
  };

  std::vector<termination::Message> take(int most, std::chrono::seconds visibility);
  [[nodiscard]] SteadyTime next_visible() const;

  Clock& clock_;
  Script& script_;
  Signal arrived_;
  std::map<std::string, Stored> stored_;
  int receipts_ = 0;
};

}  // namespace ferryman::test
