// SPDX-License-Identifier: Apache-2.0
// Explain: what would become of a message under a policy, in words for a person. Pure: it asks nobody, and
// takes the message for one that has just arrived and whose instances are ours.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "termination/decision.h"
#include "termination/outcome.h"
#include "termination/parse/message_parser.h"

namespace ferryman::termination {

/// What is known of one instance beyond the message.
class InstanceFacts {
 public:
  InstanceFacts() = default;

  Labels labels;      // of its Node
  Tags group_tags;    // of its Auto Scaling group
  std::string owner;  // "ours", "foreign", …; empty: nobody was asked
  std::string word;   // a sentence about whose it is; may be empty
  bool ours = true;
  MessageOutcome outcome = MessageOutcome::foreign;  // of its event when it is not ours
};

class EventExplanation {
 public:
  EventExplanation() = default;

  Event event;
  std::string action;                // "ignore", "taint", "cordon", "drain", or "complete" for a launch
  bool acts = false;                 // something would be done
  std::string owner;                 // as the facts say
  bool our_hook = false;             // the lifecycle action's hook is ours to keep alive and to complete
  std::optional<WallTime> deadline;  // of the work, as far as message and policy say; empty: not known
  std::vector<std::string> reasons;  // whole sentences
};

class MessageExplanation {
 public:
  MessageExplanation() = default;

  [[nodiscard]] bool acts() const;

  MessageOutcome outcome = MessageOutcome::not_for_us;
  std::string because;  // why there are no events, or none of them counts; empty otherwise
  std::string fate;     // what becomes of the message: a whole sentence
  std::vector<EventExplanation> events;
};

using LookUp = std::function<InstanceFacts(const Event&)>;

MessageExplanation explain(const parse::ParsedMessage& message, const Policy& policy,
                           const LookUp& look_up = {});

}  // namespace ferryman::termination
