// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/pool_calls.h"

#include <algorithm>

namespace ferryman::termination::balancers {

namespace {

constexpr std::size_t named_at_once = 200;  // targets or instances of one call
constexpr std::size_t tagged_at_once = 20;

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

Task<Result<std::vector<TargetGroup>>> PoolCalls::target_groups(Deadline deadline) {
  co_return co_await port_.target_groups(deadline);
}

Task<Result<std::map<std::string, TargetGroupTags>>> PoolCalls::tags(std::vector<std::string> group_arns,
                                                                     Deadline deadline) {
  std::map<std::string, TargetGroupTags> tags;
  for (std::size_t from = 0; from < group_arns.size(); from += tagged_at_once) {
    const auto begin = group_arns.begin() + static_cast<std::ptrdiff_t>(from);
    const std::size_t count = std::min(tagged_at_once, group_arns.size() - from);
    std::vector<std::string> some(begin, begin + static_cast<std::ptrdiff_t>(count));
    const Result<void> added = co_await add_tags(std::move(some), tags, deadline);
    if (!added) co_return added.error();
  }
  co_return tags;
}

/// One group that is gone spoils the call for all.
Task<Result<void>> PoolCalls::add_tags(std::vector<std::string> arns,
                                       std::map<std::string, TargetGroupTags>& tags, Deadline deadline) {
  auto answer = co_await port_.target_group_tags(arns, deadline);
  if (answer) {
    tags.merge(*answer);
    co_return Result<void>();
  }
  if (answer.error().fault != Fault::not_found) co_return answer.error();
  if (arns.size() == 1) co_return Result<void>();
  std::vector<std::string> upper = take_upper_half(arns);
  const Result<void> lower = co_await add_tags(std::move(arns), tags, deadline);
  if (!lower) co_return lower;
  co_return co_await add_tags(std::move(upper), tags, deadline);
}

Task<Result<std::vector<ClassicBalancer>>> PoolCalls::classic_balancers(Deadline deadline) {
  co_return co_await port_.classic_balancers(deadline);
}

Task<Result<std::vector<Seat>>> PoolCalls::seats(Pool pool, Deadline deadline) {
  std::vector<Target> all;
  co_return co_await ask(std::move(pool), std::move(all), deadline);
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

Task<Result<std::vector<Seat>>> PoolCalls::standings(Pool pool, std::vector<Target> targets,
                                                     Deadline deadline) {
  auto answer = co_await standings_once(pool, targets, deadline);
  if (answer || !names_unknown_target(answer.error())) co_return answer;
  if (targets.size() > 1) co_return co_await standings_in_halves(pool, std::move(targets), deadline);
  std::vector<Seat> unknown;
  unknown.emplace_back(targets.front(), Standing::gone, false);
  co_return unknown;
}

Task<Result<std::vector<Seat>>> PoolCalls::standings_in_halves(Pool pool, std::vector<Target> targets,
                                                               Deadline deadline) {
  std::vector<Target> upper = take_upper_half(targets);
  FERRYMAN_TRY(all, co_await standings(pool, std::move(targets), deadline));
  FERRYMAN_TRY(others, co_await standings(pool, std::move(upper), deadline));
  all.insert(all.end(), others.begin(), others.end());
  co_return all;
}

/// What the answer leaves out is not registered; a classic balancer leaves out terminated instances.
Task<Result<std::vector<Seat>>> PoolCalls::standings_once(Pool pool, std::vector<Target> targets,
                                                          Deadline deadline) {
  // Naming them would take more calls than asking for all. A classic balancer might not list what drains.
  const bool whole = !pool.classic() && targets.size() > named_at_once;
  std::vector<Target> named;
  if (!whole) named = targets;
  FERRYMAN_TRY(all, co_await ask(std::move(pool), std::move(named), deadline));
  std::map<Target, Seat> by_target;
  for (Seat& seat : all) by_target.emplace(seat.target, seat);
  std::vector<Seat> seats;
  for (const Target& target : targets) {
    const auto found = by_target.find(target);
    seats.push_back(found == by_target.end() ? Seat(target, Standing::gone, false) : found->second);
  }
  co_return seats;
}

Task<Result<std::vector<Seat>>> PoolCalls::ask(Pool pool, std::vector<Target> targets, Deadline deadline) {
  std::vector<Seat> seats;
  if (pool.classic()) {
    std::vector<InstanceId> instances = instances_of(targets);
    FERRYMAN_TRY(health, co_await port_.classic_health(pool.id, std::move(instances), deadline));
    for (ClassicHealth& one : health) {
      const Standing standing = standing_of(one);
      const bool healthy = standing == Standing::member && one.state == "InService";
      seats.emplace_back(Target(std::move(one.instance_id), 0), standing, healthy);
    }
    co_return seats;
  }
  FERRYMAN_TRY(health, co_await port_.target_health(pool.id, std::move(targets), deadline));
  for (TargetHealth& one : health) {
    const Standing standing = standing_of(one);
    seats.emplace_back(std::move(one.target), standing, one.state == "healthy");
  }
  co_return seats;
}

}  // namespace ferryman::termination::balancers
