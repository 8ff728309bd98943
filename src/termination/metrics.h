// SPDX-License-Identifier: Apache-2.0
// The product's metric values; `app` prints them.
#pragma once

#include "base/metrics.h"
#include "termination/event.h"
#include "termination/outcome.h"

namespace ferryman::termination {

enum class Phase : std::uint8_t { resolve, find, wait, cordon, deregister, drain, settle, complete };
inline constexpr std::size_t phases = 8;
std::string_view name_of(Phase phase);

class Metrics {
 public:
  Counter messages_received;
  Family<Counter, MessageOutcome, message_outcomes> messages;
  Counter messages_quarantined;  // that do not parse, after their forgiven receives; each once
  Family<Counter, EventKind, event_kinds> events;
  Counter terminations_started;
  Counter terminations_resumed;
  Family<Counter, TerminationResult, termination_results> terminations;
  Counter pods_evicted;
  Counter evictions_refused;  // by a budget
  Counter pods_deleted;
  Counter pods_forced;
  Counter pods_left;  // still there when a final deadline came
  Counter targets_deregistered;
  Counter deregistrations_failed;  // calls
  Counter targets_came_back;
  Counter targets_left;    // still held by a balancer when a final deadline came
  Counter volumes_left;    // attached still when their wait was over
  Counter nodes_deleted;   // Node objects of instances that are gone
  Counter ghosts_deleted;  // pods that hung on them
  Counter hooks_unheeded;  // found waiting though no message told of them
  Counter heartbeats;
  Counter heartbeats_failed;
  Counter completions;
  Counter launches;          // launch hooks that were completed because their Node was Ready
  Counter marks_taken_back;  // Nodes that are in service again
  Tally unknown_events;      // messages of kinds that we do not act on, by source and detail-type
  Gauge running;
  Gauge paused;  // 1: the pause switch stops new work
  Family<Gauge, Phase, phases> in_phase;
  Histogram seconds_to_cordon{0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60};
  Histogram seconds_to_complete{1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600};
};

}  // namespace ferryman::termination
