// SPDX-License-Identifier: Apache-2.0
// PoolCalls: both versions of Elastic Load Balancing behind one set of calls. Errors are the port's; a group
// or balancer that is gone is not_found.
#pragma once

#include <map>
#include <vector>

#include "termination/balancers/pool.h"

namespace ferryman::termination::balancers {

class PoolCalls {
 public:
  /// The port must outlive this.
  explicit PoolCalls(Balancers& port) : port_(port) {}

  /// Those that hold instances; groups of addresses, functions and balancers are nobody's node.
  Task<Result<std::vector<Pool>>> target_groups(Deadline deadline);
  Task<Result<std::vector<Registration>>> registrations(Pool group, Deadline deadline);
  /// All classic balancers. Those that drain are not among the registrations, though they are held still.
  Task<Result<std::map<Pool, std::vector<Registration>>>> classic_registrations(Deadline deadline);

  /// How long a deregistered target drains at most.
  Task<Result<Duration>> delay(Pool pool, Deadline deadline);

  /// At most 200 targets. invalid: one of them is unknown or, in a classic balancer, not registered; none was
  /// deregistered.
  Task<Result<void>> deregister(Pool pool, std::vector<Target> targets, Deadline deadline);

  /// How each target stands now, in any order. One that EC2 does not know is gone.
  Task<Result<std::vector<Registration>>> standings(Pool pool, std::vector<Target> targets,
                                                    Deadline deadline);

 private:
  Task<Result<std::vector<Registration>>> standings_once(Pool pool, std::vector<Target> targets,
                                                         Deadline deadline);
  Task<Result<std::vector<Registration>>> standings_in_halves(Pool pool, std::vector<Target> targets,
                                                              Deadline deadline);

  Balancers& port_;
};

/// By state and reason of DescribeTargetHealth.
Standing standing_of(const TargetHealth& health);
/// By state and description of DescribeInstanceHealth: a failed health check is still a member.
Standing standing_of(const ClassicHealth& health);

}  // namespace ferryman::termination::balancers
