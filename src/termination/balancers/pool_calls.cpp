// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/pool_calls.h"

#include <algorithm>

namespace ferryman::termination::balancers {

namespace {

std::vector<InstanceId> instances_of(const std::vector<Target>& targets) {
  std::vector<InstanceId> instances;
  for (const Target& target : targets) instances.push_back(target.instance_id);
  return instances;
}

}  // namespace

std::string name_in(const std::string& pool_id) {
  constexpr std::string_view before = ":targetgroup/";
  const std::size_t at = pool_id.find(before);
  if (at == std::string::npos) return pool_id;
  const std::size_t begin = at + before.size();
  return pool_id.substr(begin, pool_id.find('/', begin) - begin);
}

std::string deregister_action(const Pool& pool) {
  return pool.classic() ? "DeregisterInstancesFromLoadBalancer" : "DeregisterTargets";
}

std::string health_action(const Pool& pool) {
  return pool.classic() ? "DescribeInstanceHealth" : "DescribeTargetHealth";
}

std::string delay_action(const Pool& pool) {
  return pool.classic() ? "DescribeLoadBalancerAttributes" : "DescribeTargetGroupAttributes";
}

std::vector<Target> take_upper_half(std::vector<Target>& targets) {
  const auto middle = targets.begin() + static_cast<std::ptrdiff_t>(targets.size() / 2);
  std::vector<Target> upper(middle, targets.end());
  targets.erase(middle, targets.end());
  return upper;
}

bool names_unknown_target(const Error& error) {
  return error.code == "InvalidTarget" || error.code == "InvalidInstance";
}

std::string words_for(const Pool& pool) {
  return (pool.classic() ? "classic load balancer " : "target group ") + pool.name;
}

Standing standing_of(const TargetHealth& health) {
  if (health.state == "draining") return Standing::draining;
  return health.reason == "Target.NotRegistered" ? Standing::gone : Standing::member;
}

Standing standing_of(const ClassicHealth& health) {
  if (health.description.find("deregistration currently in progress") != std::string::npos)
    return Standing::draining;
  const bool out = health.state == "OutOfService";
  return out && health.description.find("not currently registered") != std::string::npos ? Standing::gone
                                                                                         : Standing::member;
}

Task<Result<std::vector<Pool>>> PoolCalls::target_groups(Deadline deadline) {
  FERRYMAN_TRY(groups, co_await port_.target_groups(deadline));
  std::vector<Pool> pools;
  for (TargetGroup& group : groups) {
    if (group.target_type == "instance")
      pools.emplace_back(group.type, std::move(group.arn), std::move(group.name));
  }
  co_return pools;
}

Task<Result<std::vector<Registration>>> PoolCalls::registrations(Pool group, Deadline deadline) {
  std::vector<Target> all;
  FERRYMAN_TRY(health, co_await port_.target_health(group.id, std::move(all), deadline));
  std::vector<Registration> registrations;
  for (TargetHealth& one : health) {
    const Standing standing = standing_of(one);
    registrations.emplace_back(group, std::move(one.target), standing);
  }
  co_return registrations;
}

Task<Result<std::map<Pool, std::vector<Registration>>>> PoolCalls::classic_registrations(Deadline deadline) {
  FERRYMAN_TRY(balancers, co_await port_.classic_balancers(deadline));
  std::map<Pool, std::vector<Registration>> pools;
  for (const ClassicBalancer& balancer : balancers) {
    const Pool pool(BalancerType::classic, balancer.name, balancer.name);
    std::vector<Registration>& registrations = pools[pool];
    for (const InstanceId& instance : balancer.instances)
      registrations.emplace_back(pool, Target(instance, 0), Standing::member);
  }
  co_return pools;
}

Task<Result<Duration>> PoolCalls::delay(Pool pool, Deadline deadline) {
  if (pool.classic()) {
    FERRYMAN_TRY(draining, co_await port_.classic_draining(pool.id, deadline));
    co_return Duration(draining);
  }
  FERRYMAN_TRY(delay, co_await port_.deregistration_delay(pool.id, deadline));
  co_return Duration(delay);
}

Task<Result<void>> PoolCalls::deregister(Pool pool, std::vector<Target> targets, Deadline deadline) {
  if (pool.classic()) {
    std::vector<InstanceId> instances = instances_of(targets);
    co_return co_await port_.classic_deregister(pool.id, std::move(instances), deadline);
  }
  co_return co_await port_.deregister(pool.id, std::move(targets), deadline);
}

Task<Result<std::vector<Registration>>> PoolCalls::standings(Pool pool, std::vector<Target> targets,
                                                             Deadline deadline) {
  auto answer = co_await standings_once(pool, targets, deadline);
  if (answer || !names_unknown_target(answer.error())) co_return answer;
  if (targets.size() > 1) co_return co_await standings_in_halves(pool, std::move(targets), deadline);
  std::vector<Registration> unknown;
  unknown.emplace_back(pool, targets.front(), Standing::gone);
  co_return unknown;
}

Task<Result<std::vector<Registration>>> PoolCalls::standings_in_halves(Pool pool, std::vector<Target> targets,
                                                                       Deadline deadline) {
  std::vector<Target> upper = take_upper_half(targets);
  FERRYMAN_TRY(all, co_await standings(pool, std::move(targets), deadline));
  FERRYMAN_TRY(others, co_await standings(pool, std::move(upper), deadline));
  all.insert(all.end(), others.begin(), others.end());
  co_return all;
}

Task<Result<std::vector<Registration>>> PoolCalls::standings_once(Pool pool, std::vector<Target> targets,
                                                                  Deadline deadline) {
  std::vector<Registration> standings;
  if (pool.classic()) {
    std::vector<InstanceId> instances = instances_of(targets);
    FERRYMAN_TRY(health, co_await port_.classic_health(pool.id, std::move(instances), deadline));
    for (const ClassicHealth& one : health)
      standings.emplace_back(pool, Target(one.instance_id, 0), standing_of(one));
    // Terminated instances are left out of the answer.
    for (const Target& target : targets) {
      const bool named = std::any_of(health.begin(), health.end(), [&](const ClassicHealth& one) {
        return one.instance_id == target.instance_id;
      });
      if (!named) standings.emplace_back(pool, target, Standing::gone);
    }
    co_return standings;
  }
  FERRYMAN_TRY(health, co_await port_.target_health(pool.id, std::move(targets), deadline));
  for (const TargetHealth& one : health) standings.emplace_back(pool, one.target, standing_of(one));
  co_return standings;
}

}  // namespace ferryman::termination::balancers
