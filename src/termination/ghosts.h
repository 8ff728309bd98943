// SPDX-License-Identifier: Apache-2.0
// Ghosts: Nodes of instances that are gone, and the pods that hang on them. Opt-in (--delete-node): once EC2
// says that the instance has ended, its pods are removed and then the Node object. It works from the closed
// claims on the Nodes, so no restart forgets one. What goes off only after its end is tainted out-of-service
// (--out-of-service-taint).
#pragma once

#include <set>
#include <string>

#include "base/scope.h"
#include "termination/aws_facts.h"
#include "termination/balancers/pool_calls.h"
#include "termination/claim.h"

namespace ferryman::termination {

class Ghosts {
 public:
  /// Each Node is worked on in `calls`, whose owner cancels and joins it.
  Ghosts(Context& context, Ports ports, AwsFacts& facts, Scope& calls)
      : context_(context), ports_(ports), facts_(facts), calls_(calls), pools_(ports.balancers) {}
  Ghosts(const Ghosts&) = delete;
  Ghosts& operator=(const Ghosts&) = delete;

  /// Looks twice a minute; until cancelled. Without the opt-in it only waits.
  Task<void> run();

 private:
  void look();
  Task<void> lay(Node node, Claim claim);
  Task<void> mark_off(Node node);
  Task<bool> is_held(InstanceId id, Claim claim);
  Task<Result<Node>> confirm(Node node);
  Task<Result<void>> remove(Node node);
  Task<void> remove_pods(Node node);
  void tell(const Node& node, const Claim& claim);
  void complain(const Node& node, const Error& error);

  Context& context_;
  Ports ports_;
  AwsFacts& facts_;
  Scope& calls_;
  balancers::PoolCalls pools_;
  std::set<Uid> busy_;  // Nodes that are being looked at
  bool denied_ = false;
};

}  // namespace ferryman::termination
