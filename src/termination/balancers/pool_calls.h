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

  /// All of the account.
  Task<Result<std::vector<TargetGroup>>> target_groups(Deadline deadline);
  /// Of so many groups as there are, in calls of 20. A group that is gone has none.
  Task<Result<std::map<std::string, TargetGroupTags>>> tags(std::vector<std::string> group_arns,
                                                            Deadline deadline);
  /// All classic balancers. Those that drain are not among the instances, though they are held still.
  Task<Result<std::vector<ClassicBalancer>>> classic_balancers(Deadline deadline);

  /// Everything in the pool, as one call tells it.
  Task<Result<std::vector<Seat>>> seats(Pool pool, Deadline deadline);

  /// How long a deregistered target drains at most.
  Task<Result<Duration>> delay(Pool pool, Deadline deadline);

  /// At most 200 targets. invalid: one of them is unknown or, in a classic balancer, not registered; none was
  /// deregistered.
  Task<Result<void>> deregister(Pool pool, std::vector<Target> targets, Deadline deadline);

  /// How each target stands now, in any order, by as few calls as can tell. One that EC2 does not know is
  /// gone.
  Task<Result<std::vector<Seat>>> standings(Pool pool, std::vector<Target> targets, Deadline deadline);

 private:
  Task<Result<void>> add_tags(std::vector<std::string> arns, std::map<std::string, TargetGroupTags>& tags,
                              Deadline deadline);
  Task<Result<std::vector<Seat>>> ask(Pool pool, std::vector<Target> targets, Deadline deadline);
  Task<Result<std::vector<Seat>>> standings_once(Pool pool, std::vector<Target> targets, Deadline deadline);
  Task<Result<std::vector<Seat>>> standings_in_halves(Pool pool, std::vector<Target> targets,
                                                      Deadline deadline);

  Balancers& port_;
};

/// By state and reason of DescribeTargetHealth.
Standing standing_of(const TargetHealth& health);
/// By state and description of DescribeInstanceHealth: a failed health check is still a member.
Standing standing_of(const ClassicHealth& health);

}  // namespace ferryman::termination::balancers
