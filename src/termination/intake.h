// SPDX-License-Identifier: Apache-2.0
// Intake: long-polls the queue, parses, hands each event on. Never waits for work.
#pragma once

#include <string>

#include "termination/dispatch.h"
#include "termination/parse/message_parser.h"
#include "termination/pause_switch.h"
#include "termination/poison.h"

namespace ferryman::termination {

class Intake {
 public:
  Intake(Crew& crew, Dispatch& dispatch);

  /// One long poll after the other, until cancelled. Further pollers (`index` > 0) work only while the queue
  /// is full.
  Task<void> poll(int index);

  /// The queue answered the last receive. False also before the first answer, unless a pause keeps us from
  /// asking.
  [[nodiscard]] bool reachable() const { return reachable_ || (!asked_ && pause_.on()); }
  /// Why not; empty when reachable.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

  /// What one message leads to; never throws, never waits.
  void handle(Message message);

 private:
  void note(const Result<std::vector<Message>>& received);
  void settle_unusable(Message message, const parse::ParsedMessage& parsed);
  [[nodiscard]] MessageOutcome outcome_without_events(const parse::ParsedMessage& parsed, bool for_us) const;
  [[nodiscard]] bool for_our_account(const parse::ParsedMessage& parsed) const;

  Crew& crew_;
  Context& context_;
  Dispatch& dispatch_;
  PauseSwitch& pause_;
  Poison poison_;
  bool asked_ = false;
  bool reachable_ = false;
  std::string trouble_ = "the queue was not asked yet";
  bool full_ = false;
  Signal filled_;
};

}  // namespace ferryman::termination
