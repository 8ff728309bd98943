// SPDX-License-Identifier: Apache-2.0
// Claim: the durable record of a termination, one annotation on its Node. It survives any restart. A hint,
// not a proof: the instance id comes from spec.providerID, group and state from AWS, checked again on
// take-over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "termination/event.h"
#include "termination/policy.h"
#include "termination/ports/balancers.h"
#include "termination/ports/cluster.h"

namespace ferryman::termination {

/// A target that we took out of a target group or a classic balancer, so that it can be put back.
class Deregistration {
 public:
  Deregistration() = default;
  Deregistration(BalancerType type_in, std::string pool_in, std::uint16_t port_in)
      : type(type_in), pool(std::move(pool_in)), port(port_in) {}
  friend bool operator==(const Deregistration&, const Deregistration&) = default;

  BalancerType type = BalancerType::unknown;
  std::string pool;  // the target group's ARN, or the classic balancer's name
  std::uint16_t port = 0;
  std::string address;  // of the node, in target groups of type "ip"; empty: the instance itself
};

class Claim {
 public:
  Claim() = default;

  /// False when the step was noted before.
  bool note_step(const std::string& step);
  /// False when it was noted before.
  bool note_deregistration(const Deregistration& deregistration);

  /// A later notice of a plan takes the place of the earlier one, whichever arrives first; an event that is
  /// known, its own. The index.
  std::size_t add(Event event);
  [[nodiscard]] bool holds(const std::string& event_key) const;
  /// An annotation is small: so many events that complete nothing are more than any end has.
  [[nodiscard]] bool full() const { return events.size() >= 40; }
  /// Every event may come to nothing.
  [[nodiscard]] bool voluntary() const;
  /// An Auto Scaling hook waits: Auto Scaling alone can say whether such an end still goes on.
  [[nodiscard]] bool by_auto_scaling() const;
  /// False until the node was marked: the claim is a plan for later.
  [[nodiscard]] bool begun() const { return !steps.empty(); }

  std::vector<Event> events;  // with their actions; in the order of arrival
  Action action = Action::drain;
  WallTime started;
  WallTime deadline;
  std::string boot_id;          // of the Node when it was marked: another one says that it came back
  bool completed = false;       // closed, and nothing was left over
  bool cordoned = false;        // we set spec.unschedulable: it was not set before
  bool tainted = false;         // we added our taint
  bool excluded = false;        // we set the label that takes nodes out of load balancers
  bool no_execute = false;      // we added our taint with effect NoExecute too
  bool out_of_service = false;  // we added the taint node.kubernetes.io/out-of-service
  std::vector<Deregistration> deregistered;
  std::optional<WallTime> left_at;  // about when the first of them was deregistered
  std::vector<std::string> steps;   // done: "cordon", "drain", "complete"
  std::optional<WallTime> closed;   // the work is over; nobody resumes it
};

/// A mark is ours when either of them says so: the answer to a write may have been lost.
void add_marks(Claim& claim, const Claim& other);

/// The Node's kernel is another one than the one that was marked.
bool has_started_anew(const Node& node, const Claim& claim);

std::string encode(const Claim& claim);

/// Errors: invalid, naming the field. Unknown fields are ignored, so that an older version can read a newer
/// one's.
Result<Claim> decode_claim(std::string_view text);

}  // namespace ferryman::termination
