// SPDX-License-Identifier: Apache-2.0
// HeldMessages: every message between its receive and its disposal. Keeps them invisible while they are held,
// joins the outcomes of a message's events into one, and disposes of it by the outcome table.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/scope.h"
#include "termination/context.h"
#include "termination/outcome.h"

namespace ferryman::termination {

/// One receive of one message. Whoever works on one of its events holds it and settles that part once.
class HeldMessage {
 public:
  HeldMessage(Message message_in, SteadyTime hidden_until_in)
      : message(std::move(message_in)), hidden_until(hidden_until_in) {}

  Message message;
  SteadyTime hidden_until;
  int open_parts = 0;
  std::optional<MessageOutcome> outcome;  // of the parts settled so far, the one that holds it back most
  bool disposed = false;
};
using HeldMessagePtr = std::shared_ptr<HeldMessage>;

class HeldMessages {
 public:
  /// The calls run in `calls`, whose owner cancels and joins it.
  HeldMessages(Context& context, MessageQueue& queue, Scope& calls);

  /// `parts`: how many events will be settled, at least 1.
  HeldMessagePtr hold(Message message, int parts);

  /// With the last part the message is disposed of.
  void settle(const HeldMessagePtr& held, MessageOutcome outcome);

  /// Keeps what is held invisible. Runs until cancelled.
  Task<void> run();

  /// Everything still held goes back to the queue: for a stop. The calls end at the deadline.
  void release_all(Deadline deadline);

  [[nodiscard]] std::size_t size() const { return held_.size(); }
  /// How often we gave this message back, as far as that is remembered.
  [[nodiscard]] int releases_of(const std::string& message_id) const;

 private:
  Task<void> remove(HeldMessagePtr held);
  Task<void> release(HeldMessagePtr held, std::chrono::seconds visibility, Deadline deadline);
  Task<void> extend(HeldMessagePtr held);
  void give_back_forgotten();
  std::chrono::seconds release_after(const std::string& message_id);

  Context& context_;
  MessageQueue& queue_;
  Scope& calls_;
  std::map<std::string, HeldMessagePtr> held_;  // by receipt handle
  std::map<std::string, int> releases_;         // our own releases of a message, by message id
  std::deque<std::string> releases_order_;      // the oldest memory goes first
};

}  // namespace ferryman::termination
