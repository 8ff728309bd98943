// SPDX-License-Identifier: Apache-2.0
// HeldMessages: every message between its receive and its disposal. Keeps them invisible while they are held,
// joins the outcomes of a message's events into one, and disposes of it by the outcome table.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/scope.h"
#include "termination/context.h"
#include "termination/outbox.h"
#include "termination/outcome.h"
#include "termination/releases.h"

namespace ferryman::termination {

/// One receive of one message. Whoever works on one of its events holds it and settles that part once.
class HeldMessage {
 public:
  HeldMessage(Message message_in, SteadyTime hidden_until_in)
      : message(std::move(message_in)), hidden_until(hidden_until_in) {}

  Message message;
  std::vector<InstanceId> instances;
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

  /// `parts`: how many events will be settled, at least 1. `instances`: of the events, for `node_appeared`.
  HeldMessagePtr hold(Message message, int parts, std::vector<InstanceId> instances = {});

  /// With the last part the message is disposed of. Null (an event that came without one): nothing to do.
  void settle(const HeldMessagePtr& held, MessageOutcome outcome);

  /// For one that the outcome table does not know enough of: disposed of at once, hidden for `pause` when it
  /// is released.
  void dispose(const Message& message, MessageOutcome outcome, Disposal disposal, std::chrono::seconds pause);

  /// A Node carries the instance now. Messages that were given back as foreign are visible again at once, and
  /// our releases of them count from 1 again.
  void node_appeared(const InstanceId& instance_id);

  /// Keeps what is held invisible. Runs until cancelled.
  Task<void> run();

  /// Everything still held goes back to the queue, and what is gathered is told to it: for a stop. The calls
  /// end at the deadline.
  void release_all(Deadline deadline);

  [[nodiscard]] std::size_t size() const { return held_.size(); }
  /// How often we gave this message back, as far as that is remembered.
  [[nodiscard]] int releases_of(const Message& message) const { return releases_.of(message); }

 private:
  void count(const Message& message, MessageOutcome outcome);
  void release(const HeldMessagePtr& held);
  void released(const HeldMessagePtr& held, const Result<void>& answer, SteadyTime hidden_until);
  void extend(const HeldMessagePtr& held);
  void make_visible(const std::string& message_id, const std::string& receipt_handle,
                    std::chrono::seconds pause);
  void give_back_forgotten();
  void tell_unreleased(const std::string& message_id, const Result<void>& answer);

  Context& context_;
  Outbox outbox_;
  Releases releases_;
  std::map<std::string, HeldMessagePtr> held_;  // by receipt handle
};

}  // namespace ferryman::termination
