// SPDX-License-Identifier: Apache-2.0
// Reconciler: at start and every minute (or a third of the shortest hook), claims that nobody works on. This
// is how a restart goes on.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "termination/registry.h"

namespace ferryman::termination {

class Reconciler {
 public:
  Reconciler(Crew& crew, Registry& registry) : crew_(crew), context_(crew.context), registry_(registry) {}

  /// Runs until cancelled.
  Task<void> run();

 private:
  struct Orphan {
    Node node;
    Claim claim;
  };

  [[nodiscard]] std::vector<Orphan> orphans();
  Task<void> pause(bool all_taken);
  Task<bool> take_over(std::vector<Orphan> orphans);
  void complain_once(const Node& node, std::string_view event, const std::string& reason);

  Crew& crew_;
  Context& context_;
  Registry& registry_;
  std::set<std::string> complained_;  // UID and claim text: one log line each
};

}  // namespace ferryman::termination
