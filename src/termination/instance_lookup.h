// SPDX-License-Identifier: Apache-2.0
// InstanceLookup: what EC2 says of instances that no Node carries. Ids asked for within 300 ms share one
// call; a running instance is not asked for again for five minutes.
#pragma once

#include <deque>
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

  /// True when nothing can wait for the instance any more: EC2 has terminated it, or has not known it twice,
  /// 10 s apart (its answers are eventually consistent). False too while EC2 cannot be asked.
  Task<bool> gone(InstanceId id);

  /// Empty: EC2 does not know the id (any more).
  Task<Result<std::optional<Instance>>> find(InstanceId id);

 private:
  struct Batch {
    explicit Batch(Clock& clock) : answered(clock) {}

    std::vector<InstanceId> ids;
    std::map<InstanceId, Instance> found;
    bool over = false;
    Result<void> outcome;
    Signal answered;
  };

  /// The last answer about an instance.
  struct Sighting {
    SteadyTime at;
    std::optional<SteadyTime> absent_since;
    std::string state;
  };

  Task<void> ask(std::shared_ptr<Batch> batch);
  Sighting& remember(const InstanceId& id, const std::optional<Instance>& seen);

  Context& context_;
  Cloud& cloud_;
  Scope& calls_;
  std::shared_ptr<Batch> open_;  // still gathering ids
  std::map<InstanceId, Sighting> sightings_;
  std::deque<InstanceId> sightings_order_;  // the oldest memory goes first
};

}  // namespace ferryman::termination
