// SPDX-License-Identifier: Apache-2.0
// Poison: messages that do not parse. The first receives are forgiven (a newer version of ours may read them
// soon); then the message is named once, counted, and got out of the way by policy. What parses never comes
// here, however often it was received.
#pragma once

#include <list>
#include <string>
#include <unordered_map>

#include "termination/held_messages.h"

namespace ferryman::termination {

class Poison {
 public:
  Poison(Context& context, HeldMessages& held) : context_(context), held_(held) {}

  /// `error`: why it does not parse.
  void take(const Message& message, const Error& error);

  [[nodiscard]] std::size_t remembered() const { return known_.size(); }

 private:
  struct Seen {
    std::string message_id;
    int receives = 0;
    bool named = false;
  };

  Seen& remember(const Message& message);
  void name(const Message& message, int receives, const Error& error);

  Context& context_;
  HeldMessages& held_;
  std::list<Seen> by_age_;  // received last: at the end
  std::unordered_map<std::string, std::list<Seen>::iterator> known_;
};

}  // namespace ferryman::termination
