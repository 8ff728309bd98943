// SPDX-License-Identifier: Apache-2.0
// LiveFacts: what `explain --live` asks Kubernetes and AWS about the instances of a message, with the
// daemon's settings, credentials and rules. It reads Nodes, instances and tags; it writes nothing and touches
// no queue.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/platform.h"
#include "app/settings.h"
#include "base/scope.h"
#include "termination/explain.h"

namespace ferryman::app {

class LiveFacts {
 public:
  using Answers = std::map<InstanceId, termination::InstanceFacts>;

  LiveFacts(Settings settings, const Platform& platform);
  LiveFacts(const LiveFacts&) = delete;
  LiveFacts& operator=(const LiveFacts&) = delete;
  ~LiveFacts();

  /// Settings that cannot work, each with its cure. When there are any, nothing else may be called.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

  /// The policy with the account and the region that are ours.
  [[nodiscard]] const termination::Policy& policy() const;

  /// To be called once. Errors: deadline: Kubernetes did not tell its Nodes; unexpected: AWS could not be
  /// asked.
  Task<Result<Answers>> ask(std::vector<termination::Event> events, Deadline deadline);

  /// Ends `ask` soon, with an error (cancelled).
  void give_up();

 private:
  struct Parts;

  Task<Result<Answers>> ask_all(std::vector<termination::Event> events, Deadline deadline);
  Task<void> ask_one(termination::Event event);
  Task<bool> wait_for_nodes(Deadline deadline);

  Settings settings_;
  Platform platform_;
  Log log_;
  Scope scope_;
  std::vector<std::string> problems_;
  std::unique_ptr<Parts> parts_;
  Answers answers_;
  std::string not_told_;  // the first instance for which nobody could tell
  Signal answered_;
  bool given_up_ = false;
};

}  // namespace ferryman::app
