// SPDX-License-Identifier: Apache-2.0
// How a message or a termination ended, and what that means for the message. The table in the .cpp is the
// rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "termination/policy.h"

namespace ferryman::termination {

enum class MessageOutcome : std::uint8_t {
  claimed,      // each event has a durable claim on its Node
  handled,      // each event's termination is over
  repeated,     // each event was handled before
  ignored,      // each event is ours, and the settings say to do nothing
  foreign,      // not about an instance of ours
  not_managed,  // about an instance that lacks the required tag
  undecided,    // no Node carries the instance, and nothing else says whose it is
  not_for_us,   // parsed, but of a kind that we do not act on
  nobodys,      // parsed, and of a kind that nobody acts on: an instance that runs, a copy of another message
  test,         // Auto Scaling's test notification
  past_its_life,  // nobody can act on it any more
  not_in_sync,    // we cannot know now: the node cache is not in sync, or AWS could not be asked
  unparsable,     // does not parse
  interrupted,    // we are stopping, or the work could not become durable
};
inline constexpr std::size_t message_outcomes = 14;

enum class Disposal : std::uint8_t {
  remove,   // delete it
  release,  // make it visible again, now or soon
  leave,    // do nothing: it comes back when its visibility timeout ends
};

std::string_view name_of(MessageOutcome outcome);
Disposal disposal_of(MessageOutcome outcome, QueueMode mode);

enum class TerminationResult : std::uint8_t {
  completed,  // the node is empty and every action of ours is completed (or over)
  cut_short,  // the final deadline came first: what was left is named
  node_gone,  // the Node disappeared; actions are completed
  cancelled,  // it came to nothing: our marks are taken back
  failed,     // a bug: the work ended by an exception
};
inline constexpr std::size_t termination_results = 5;

std::string_view name_of(TerminationResult result);

}  // namespace ferryman::termination
