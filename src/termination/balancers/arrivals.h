// SPDX-License-Identifier: Apache-2.0
// Arrivals: instances that stay after all are registered again where we deregistered them. All that return to
// a target group or classic balancer within 300 ms share a call.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "termination/balancers/pool.h"
#include "termination/claim.h"
#include "termination/gather.h"

namespace ferryman::termination::balancers {

class Arrivals {
 public:
  /// The calls run in `calls`, whose owner cancels and joins it.
  Arrivals(Context& context, Balancers& port, Scope& calls) : context_(context), port_(port), calls_(calls) {}

  /// Errors: denied, without the right; not_found, when the pool is gone; invalid, when this instance cannot
  /// be registered (any more).
  Task<Result<void>> put_back(InstanceId instance_id, Deregistration where);

 private:
  using Registering = Gather<Target, bool>;

  Task<Result<std::map<Target, bool>>> ask(Deregistration where, std::vector<Target> targets);
  Task<Result<void>> enter(const Deregistration& where, std::vector<Target> targets);

  Context& context_;
  Balancers& port_;
  Scope& calls_;
  std::map<std::string, std::unique_ptr<Registering>> pools_;
};

}  // namespace ferryman::termination::balancers
