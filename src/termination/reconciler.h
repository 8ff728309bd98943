// SPDX-License-Identifier: Apache-2.0
// Reconciler: at start and every minute (or a third of the shortest hook), claims that nobody works on. Open
// ones are taken over: this is how a restart goes on. Closed ones of instances that are in service again are
// undone.
#pragma once

#include <string>
#include <vector>

#include "termination/memory.h"
#include "termination/registry.h"

namespace ferryman::termination {

/// A claim that nobody works on, and its Node.
class Orphan {
 public:
  Orphan() = default;
  Orphan(Node node_in, Claim claim_in) : node(std::move(node_in)), claim(std::move(claim_in)) {}

  Node node;
  Claim claim;
};

/// Why the instance stays after all, as far as its Node and the time tell; empty: nothing says so. A Node
/// that started anew, a voluntary end after which nothing came.
std::string why_back(const Orphan& orphan, const Policy& policy, WallTime now);

class Reconciler {
 public:
  Reconciler(Crew& crew, Registry& registry) : crew_(crew), context_(crew.context), registry_(registry) {}

  /// Runs until cancelled.
  Task<void> run();

 private:
  [[nodiscard]] std::vector<Orphan> orphans();
  [[nodiscard]] bool is_its_own(const Node& node, const Result<Claim>& claim);
  Task<void> pause(bool all_taken);
  Task<bool> reconcile(std::vector<Orphan> orphans);
  void take_back_what_is_back(std::vector<Orphan>& orphans);
  void settle(Orphan orphan, bool in_service);
  void complain_once(const Node& node, std::string_view event, const std::string& reason);

  Crew& crew_;
  Context& context_;
  Registry& registry_;
  Memory<std::string> complained_{1'000};  // UID and claim text: one log line each
};

}  // namespace ferryman::termination
