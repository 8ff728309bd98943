// SPDX-License-Identifier: Apache-2.0
// The checker: which of the design's promises does the sandbox's record break? It reads the journal and
// nothing else, so it judges any client. Serves the simulation, the demo and the end-to-end tests.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sandbox/journal.h"

namespace ferryman::sandbox {

/// What the run was allowed to do.
class PromiseTerms {
 public:
  PromiseTerms() = default;

  /// The work should be over: also ask that every ended instance was completed and no message of ours is
  /// left.
  bool finished = true;
  /// From here on (after the hook began to wait) a completion may leave pods behind.
  Duration final_deadline = std::chrono::hours{1};
  /// So long before AWS takes an instance (two minutes after a spot notice, say) it may do so too.
  Duration margin = std::chrono::seconds{15};
  /// Hooks may run out: the run cut the client off for longer than a hook lasts.
  bool hooks_may_time_out = false;
  /// So long after the cordon evictions wait for load balancers that cannot be asked, and no longer.
  Duration evictions_wait = std::chrono::seconds{60};
  /// The queue is ours alone: foreign messages may be deleted.
  bool exclusive_queue = false;
  /// Event kinds that the settings ignore: their messages may be deleted without a claim.
  std::set<std::string> ignored_kinds{"rebalance-recommendation", "instance-status"};
  /// How long after its message an end's deadline comes, by event kind, where the message does not say it.
  std::map<std::string, Duration> deadlines;
  /// Each pod is asked to go no later than deadline − its grace − this; empty: not judged.
  std::optional<Duration> ask_margin;
  /// Pods ("namespace/name") that the settings keep from being asked: they hold up no completion.
  std::set<std::string> kept_pods;
  /// The hooks that are ours to complete; empty: all.
  std::set<std::string> hooks;

  // Where several clusters share a world, whose daemon is judged.
  /// By this detail ("cluster") of what Kubernetes' entries say.
  std::string cluster;
  /// ARN of the daemon's AWS caller; empty: whoever calls.
  std::string caller;
  /// Tags ("key" or "key=value") that make an instance ours without a Node; empty: not known, and nobody is
  /// told off for completing the hook of an instance that has none.
  std::set<std::string> own_tags;
};

/// One text per broken promise, in the order of the record: "promise 4: …". Empty: all held.
std::vector<std::string> broken_promises(const Journal& journal, const PromiseTerms& terms);

}  // namespace ferryman::sandbox
