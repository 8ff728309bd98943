// SPDX-License-Identifier: Apache-2.0
// ClaimStep: makes a termination durable. Each write is one PATCH with a precondition that carries the claim
// and the marks that go with its action (our taint, unschedulable, the label that load balancers heed), so
// that node and record cannot disagree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "termination/claim.h"
#include "termination/context.h"
#include "termination/held_messages.h"

namespace ferryman::termination::steps {

enum class ClaimWrite : std::uint8_t {
  durable,
  node_gone,  // no Node carries the instance id any more
  too_late,   // the deadline came first
  denied,     // we may not patch nodes: the work goes on without cordon and record
};

/// Taints that end what still runs on the node: only after the drain.
enum class EndTaint : std::uint8_t {
  no_execute,      // ours, with effect NoExecute: pods that do not tolerate it end
  out_of_service,  // Kubernetes' own: the node is off for certain, pods are removed and volumes detached
};

class ClaimStep {
 public:
  ClaimStep(Context& context, Cluster& cluster, HeldMessages& held, InstanceId instance_id, Log log);

  /// Takes the event over from a message; the message is settled when the event is durable, or by
  /// `settle_rest`.
  void add(Event event, HeldMessagePtr message);
  /// From a claim found on the Node: what it says is durable already.
  void resume(Claim claim);
  /// From the claim of an earlier end that is closed: its marks are still ours.
  void inherit(const Claim& earlier);

  /// What the next write puts on the Node beside the claim; `ignore`: nothing, the claim is a plan for later.
  void mark(Action level) { level_ = std::max(level_, level); }
  /// And this taint, for the end of the drain.
  void mark(EndTaint taint);
  /// Its events are no reason any more: AWS cancelled the plan. The message that says so is settled with the
  /// next write, or by `settle_rest`.
  void drop_plan(const std::string& plan, HeldMessagePtr message);

  /// Writes until all that was added is on the Node.
  Task<ClaimWrite> persist(Deadline deadline);
  /// The last write: the work is over. Best effort.
  Task<void> close(Deadline deadline);

  /// No further write: the claim is taken off the Node.
  void seal() { sealed_ = true; }

  /// For messages that never became durable: the termination is over, or broke off.
  void settle_rest(MessageOutcome outcome);

  [[nodiscard]] const Claim& claim() const { return claim_; }
  Claim& claim() { return claim_; }
  [[nodiscard]] const Node& node() const { return node_; }
  /// True when an event is not on the Node yet.
  [[nodiscard]] bool has_unwritten() const { return durable_events_ < claim_.events.size(); }

 private:
  Task<Result<Node>> current_node(Deadline deadline, bool first_attempt);
  Task<Result<void>> write_once(Deadline deadline, bool first_attempt);
  [[nodiscard]] bool excludes(const Node& node) const;
  [[nodiscard]] std::vector<Taint> missing_taints(const Node& node) const;
  [[nodiscard]] Claim marked(const Node& node) const;
  [[nodiscard]] NodePatch patch_for(const Node& node, const Claim& claim) const;
  void note_marked(const Claim& claim);
  void became_durable(std::size_t events);
  bool is_denied(const Error& error, int attempt);

  Context& context_;
  Cluster& cluster_;
  HeldMessages& held_;
  InstanceId instance_id_;
  Log log_;
  Claim claim_;
  Action level_ = Action::ignore;
  bool no_execute_ = false;      // wanted on the Node
  bool out_of_service_ = false;  // as well
  bool denied_ = false;
  bool sealed_ = false;
  Node node_;  // as last seen; its UID is fixed by the first write
  std::size_t durable_events_ = 0;
  bool writing_ = false;
  Signal written_;
  std::vector<std::pair<std::size_t, HeldMessagePtr>> waiting_;  // index of the event, its message
};

}  // namespace ferryman::termination::steps
