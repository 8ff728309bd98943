// SPDX-License-Identifier: Apache-2.0
#include "termination/shadow/shadow_balancers.h"

namespace ferryman::termination::shadow {

void ShadowBalancers::would(std::string_view call, std::string_view from, std::size_t targets) const {
  log_.info("shadow.would", {{"call", call}, {"of", from}, {"targets", targets}});
}

Task<Result<std::vector<TargetHealth>>> ShadowBalancers::target_health(std::string group_arn,
                                                                       std::vector<Target> targets,
                                                                       Deadline deadline) {
  const bool all = targets.empty();
  FERRYMAN_TRY(health, co_await real_.target_health(group_arn, std::move(targets), deadline));
  std::vector<TargetHealth> shown;
  for (TargetHealth& one : health) {
    const bool left = left_.contains({group_arn, one.target});
    if (left && all) continue;
    if (left) {
      one.state = "unused";
      one.reason = "Target.NotRegistered";
    }
    shown.push_back(std::move(one));
  }
  co_return shown;
}

Task<Result<void>> ShadowBalancers::deregister(std::string group_arn, std::vector<Target> targets,
                                               Deadline /*deadline*/) {
  would("DeregisterTargets", group_arn, targets.size());
  for (const Target& target : targets) left_.emplace(group_arn, target);
  co_return Result<void>();
}

Task<Result<void>> ShadowBalancers::register_again(std::string group_arn, std::vector<Target> targets,
                                                   Deadline /*deadline*/) {
  would("RegisterTargets", group_arn, targets.size());
  for (const Target& target : targets) left_.erase({group_arn, target});
  co_return Result<void>();
}

Task<Result<std::vector<ClassicBalancer>>> ShadowBalancers::classic_balancers(Deadline deadline) {
  FERRYMAN_TRY(balancers, co_await real_.classic_balancers(deadline));
  for (ClassicBalancer& balancer : balancers) {
    std::erase_if(balancer.instances,
                  [&](const InstanceId& id) { return left_classic_.contains({balancer.name, id}); });
  }
  co_return std::move(balancers);
}

Task<Result<std::vector<ClassicHealth>>> ShadowBalancers::classic_health(std::string name,
                                                                         std::vector<InstanceId> instances,
                                                                         Deadline deadline) {
  FERRYMAN_TRY(health, co_await real_.classic_health(name, std::move(instances), deadline));
  for (ClassicHealth& one : health) {
    if (!left_classic_.contains({name, one.instance_id})) continue;
    one.state = "OutOfService";
    one.description = "Instance is not currently registered with the LoadBalancer.";
  }
  co_return std::move(health);
}

Task<Result<void>> ShadowBalancers::classic_deregister(std::string name, std::vector<InstanceId> instances,
                                                       Deadline /*deadline*/) {
  would("DeregisterInstancesFromLoadBalancer", name, instances.size());
  for (const InstanceId& id : instances) left_classic_.emplace(name, id);
  co_return Result<void>();
}

Task<Result<void>> ShadowBalancers::classic_register(std::string name, std::vector<InstanceId> instances,
                                                     Deadline /*deadline*/) {
  would("RegisterInstancesWithLoadBalancer", name, instances.size());
  for (const InstanceId& id : instances) left_classic_.erase({name, id});
  co_return Result<void>();
}

}  // namespace ferryman::termination::shadow
