// SPDX-License-Identifier: Apache-2.0
// Outbox: what is to be told to the queue about messages. Gathered for a moment, sent in calls of up to ten.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/scope.h"
#include "termination/context.h"

namespace ferryman::termination {

class Outbox {
 public:
  /// What became of one message, and when the queue was asked. Called at most once, never when the call is
  /// cancelled.
  using Answered = std::function<void(const Result<void>&, SteadyTime asked)>;

  /// The calls run in `calls`, whose owner cancels and joins it.
  Outbox(Context& context, MessageQueue& queue, Scope& calls)
      : context_(context), queue_(queue), calls_(calls) {}

  /// Deletes the message; tried again when it fails. A wish for its visibility that is not sent yet is
  /// dropped.
  void remove(std::string message_id, std::string receipt_handle);

  /// Replaces an older wish for the same receipt that is not sent yet.
  void set_visibility(Hiding wish, Answered answered);

  /// Sends what is gathered now. All calls end at the deadline from now on: for a stop.
  void flush(Deadline stop_by);

 private:
  struct Removal {
    std::string message_id;
    std::string receipt_handle;
  };
  struct Wish {
    Hiding hiding;
    Answered answered;
  };

  void drop_wish(const std::string& receipt_handle);
  void send_soon();
  void send();
  Task<void> send_later();
  Task<void> send_removals(std::vector<Removal> batch);
  Task<void> send_wishes(std::vector<Wish> batch);
  std::vector<Removal> failed_of(const std::vector<Removal>& batch, const std::vector<Result<void>>& answers,
                                 bool last_try);
  [[nodiscard]] Deadline call_deadline() const;

  Context& context_;
  MessageQueue& queue_;
  Scope& calls_;
  std::vector<Removal> removals_;
  std::vector<Wish> wishes_;
  bool sending_soon_ = false;
  std::optional<Deadline> stop_by_;
};

}  // namespace ferryman::termination
