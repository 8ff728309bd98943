// SPDX-License-Identifier: Apache-2.0
// FakeQueue: SQS as far as the product sees it: visibility, receive counts, receipts that go stale.
// Operations in the script: queue.receive, queue.remove, queue.set_visibility, queue.facts; a batch is one.
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
  Task<std::vector<Result<void>>> remove(std::vector<std::string> receipt_handles,
                                         Deadline deadline) override;
  Task<std::vector<Result<void>>> set_visibility(std::vector<termination::Hiding> wishes,
                                                 Deadline deadline) override;
  Task<Result<termination::QueueFacts>> facts(Deadline deadline) override;

  /// From now on a batch call's entry for this message fails, without an effect; the others do not.
  void refuse(const std::string& id, Error error) { refused_[id] = std::move(error); }
  void accept(const std::string& id) { refused_.erase(id); }

  [[nodiscard]] bool holds(const std::string& id) const { return stored_.contains(id); }
  [[nodiscard]] bool visible(const std::string& id) const;
  [[nodiscard]] int receives(const std::string& id) const { return stored_.at(id).receive_count; }
  [[nodiscard]] std::size_t size() const { return stored_.size(); }

  /// The seconds of each message of each set_visibility, in order.
  std::vector<std::chrono::seconds> visibilities;
  /// How many messages each remove and each set_visibility held, in order.
  std::vector<std::size_t> removals_at_once;
  std::vector<std::size_t> hidings_at_once;

  termination::QueueFacts about = usual_facts();

 private:
  struct Stored {
    std::string body;
    std::string receipt;
    SteadyTime visible_at;
    int receive_count = 0;
  };

  static termination::QueueFacts usual_facts();
  Result<void> remove_one(const std::string& receipt_handle, const Fate& fate);
  Result<void> hide_one(const termination::Hiding& wish, const Fate& fate);
  /// The error ordered for the message that has this receipt; null when there is none.
  [[nodiscard]] const Error* refusal_of(const std::string& receipt_handle) const;
  std::vector<termination::Message> take(int most, std::chrono::seconds visibility);
  [[nodiscard]] SteadyTime next_visible() const;

  Clock& clock_;
  Script& script_;
  Signal arrived_;
  std::map<std::string, Stored> stored_;
  std::map<std::string, Error> refused_;
  int receipts_ = 0;
};

}  // namespace ferryman::test
