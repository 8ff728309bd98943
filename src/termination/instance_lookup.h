// SPDX-License-Identifier: Apache-2.0
// InstanceLookup: what EC2 says of instances that no Node carries. Ids asked for within 300 ms share one
// call.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "base/scope.h"
#include "termination/context.h"

namespace ferryman::termination {

class InstanceLookup {
 public:
  /// The calls run in `calls`, whose owner cancels and joins it.
  InstanceLookup(Context& context, Cloud& cloud, Scope& calls)
      : context_(context), cloud_(cloud), calls_(calls) {}

  /// Empty: EC2 does not know the id (any more).
  Task<Result<std::optional<Instance>>> find(InstanceId id);

 private:
  struct Batch {
    explicit Batch(Clock& clock) : answered(clock) {}

    std::vector<InstanceId> ids;
    std::map<InstanceId, Instance> found;
    std::optional<Result<void>> outcome;
    Signal answered;
  };

  Task<void> ask(std::shared_ptr<Batch> batch);

  Context& context_;
  Cloud& cloud_;
  Scope& calls_;
  std::shared_ptr<Batch> open_;  // still gathering ids
};

/// True when nothing can wait for the instance any more: EC2 has terminated or forgotten it.
bool is_gone(const std::optional<Instance>& instance);

}  // namespace ferryman::termination
