// SPDX-License-Identifier: Apache-2.0
#include "unit/termination/fakes/fake_balancers.h"

#include <algorithm>
#include <optional>

namespace ferryman::test {

using termination::BalancerType;
using termination::ClassicBalancer;
using termination::ClassicHealth;
using termination::Target;
using termination::TargetGroup;
using termination::TargetHealth;

namespace {

Error no_such_pool(const std::string& id) {
  return Error(Fault::not_found, "TargetGroupNotFound", "no such pool: " + id);
}

}  // namespace

void FakeBalancers::add_group(const std::string& name, BalancerType type, Duration delay) {
  Pool& pool = pools_[arn(name)];
  pool.type = type;
  pool.delay = delay;
  pool.facts.arn = arn(name);
  pool.facts.name = name;
  pool.facts.target_type = "instance";
  pool.facts.vpc = "vpc-1";
  pool.facts.type = type;
}

void FakeBalancers::set_facts(const std::string& name, const std::function<void(TargetGroup&)>& edit) {
  edit(pools_.at(arn(name)).facts);
}

void FakeBalancers::set_tags(const std::string& name, termination::TargetGroupTags tags) {
  pools_.at(arn(name)).tags = std::move(tags);
}

void FakeBalancers::set_healthy(const std::string& pool, const InstanceId& instance, bool healthy) {
  if (healthy) {
    pools_.at(pool).unhealthy.erase(instance);
  } else {
    pools_.at(pool).unhealthy.insert(instance);
  }
}

void FakeBalancers::add_classic(const std::string& name, Duration draining) {
  Pool& pool = pools_[name];
  pool.type = BalancerType::classic;
  pool.delay = draining;
}

void FakeBalancers::put(const std::string& pool, const InstanceId& instance, std::uint16_t port) {
  pools_.at(pool).targets[Target(instance, port)].reset();
}

bool FakeBalancers::holds(const std::string& pool, const InstanceId& instance) const {
  const auto& targets = pools_.at(pool).targets;
  return std::any_of(targets.begin(), targets.end(), [&](const auto& entry) {
    const bool drained = entry.second && *entry.second <= clock_.now();
    return entry.first.instance_id == instance && !drained;
  });
}

bool FakeBalancers::serves(const std::string& pool, const InstanceId& instance) const {
  const auto& targets = pools_.at(pool).targets;
  return std::any_of(targets.begin(), targets.end(),
                     [&](const auto& entry) { return entry.first.instance_id == instance && !entry.second; });
}

bool FakeBalancers::knows(const InstanceId& instance) const {
  return std::find(unknown_.begin(), unknown_.end(), instance) == unknown_.end();
}

void FakeBalancers::drop_drained() {
  for (auto& [id, pool] : pools_) {
    std::erase_if(pool.targets,
                  [&](const auto& entry) { return entry.second && *entry.second <= clock_.now(); });
  }
}

FakeBalancers::Pool* FakeBalancers::find(const std::string& id) {
  drop_drained();
  const auto found = pools_.find(id);
  return found == pools_.end() ? nullptr : &found->second;
}

Task<Result<std::vector<TargetGroup>>> FakeBalancers::target_groups(Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.groups", "", deadline);
  if (fate.error) co_return *fate.error;
  std::vector<TargetGroup> groups;
  for (const auto& [id, pool] : pools_) {
    if (pool.type == BalancerType::classic) continue;
    groups.push_back(pool.facts);
  }
  co_return groups;
}

Task<Result<std::map<std::string, termination::TargetGroupTags>>> FakeBalancers::target_group_tags(
    std::vector<std::string> group_arns, Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.tags", std::to_string(group_arns.size()), deadline);
  if (fate.error) co_return *fate.error;
  std::map<std::string, termination::TargetGroupTags> tags;
  for (const std::string& group : group_arns) {
    if (!pools_.contains(group)) co_return no_such_pool(group);
    tags[group] = pools_.at(group).tags;
  }
  co_return tags;
}

TargetHealth FakeBalancers::health_of(const Pool& pool, const Target& target) const {
  TargetHealth health;
  health.target = target;
  const auto found = pool.targets.find(target);
  if (found == pool.targets.end()) {
    health.state = "unused";
    health.reason = "Target.NotRegistered";
  } else {
    health.state = pool.unhealthy.contains(target.instance_id) ? "unhealthy" : "healthy";
    if (found->second) health.state = "draining";
  }
  return health;
}

Task<Result<std::vector<TargetHealth>>> FakeBalancers::target_health(std::string group_arn,
                                                                     std::vector<Target> targets,
                                                                     Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.health", group_arn, deadline);
  if (fate.error) co_return *fate.error;
  const Pool* pool = find(group_arn);
  if (pool == nullptr) co_return no_such_pool(group_arn);
  if (targets.empty()) {
    for (const auto& [target, draining] : pool->targets) targets.push_back(target);
  }
  std::vector<TargetHealth> health;
  for (const Target& target : targets) {
    if (!knows(target.instance_id)) co_return Error(Fault::invalid, "InvalidTarget", "unknown instance");
    health.push_back(health_of(*pool, target));
  }
  co_return health;
}

Task<Result<std::chrono::seconds>> FakeBalancers::deregistration_delay(std::string group_arn,
                                                                       Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.delay", group_arn, deadline);
  if (fate.error) co_return *fate.error;
  const Pool* pool = find(group_arn);
  if (pool == nullptr) co_return no_such_pool(group_arn);
  co_return std::chrono::duration_cast<std::chrono::seconds>(pool->delay);
}

Task<Result<void>> FakeBalancers::deregister(std::string group_arn, std::vector<Target> targets,
                                             Deadline deadline) {
  largest_batch = std::max(largest_batch, targets.size());
  const Fate fate = co_await script_.enter("balancers.deregister", group_arn, deadline);
  Pool* pool = find(group_arn);
  if (pool == nullptr) co_return no_such_pool(group_arn);
  if (fate.takes_effect) {
    for (const Target& target : targets) {
      if (!knows(target.instance_id)) co_return Error(Fault::invalid, "InvalidTarget", "unknown instance");
    }
    for (const Target& target : targets) {
      const auto found = pool->targets.find(target);
      if (found != pool->targets.end() && !found->second) found->second = clock_.now() + pool->delay;
    }
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

Task<Result<void>> FakeBalancers::register_again(std::string group_arn, std::vector<Target> targets,
                                                 Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.register", group_arn, deadline);
  if (fate.takes_effect) {
    for (const Target& target : targets) put(group_arn, target.instance_id, target.port);
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

Task<Result<std::vector<ClassicBalancer>>> FakeBalancers::classic_balancers(Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.classic", "", deadline);
  if (fate.error) co_return *fate.error;
  drop_drained();
  std::vector<ClassicBalancer> balancers;
  for (const auto& [id, pool] : pools_) {
    if (pool.type != BalancerType::classic) continue;
    ClassicBalancer balancer;
    balancer.name = id;
    for (const auto& [target, draining] : pool.targets) {
      if (!draining) balancer.instances.push_back(target.instance_id);
    }
    balancers.push_back(std::move(balancer));
  }
  co_return balancers;
}

ClassicHealth FakeBalancers::classic_health_of(const Pool& pool, const InstanceId& id) const {
  ClassicHealth health;
  health.instance_id = id;
  const auto found = pool.targets.find(Target(id, 0));
  if (found == pool.targets.end()) {
    health.state = "OutOfService";
    health.description = "Instance is not currently registered with the LoadBalancer.";
  } else {
    health.state = pool.unhealthy.contains(id) ? "OutOfService" : "InService";
    health.description = found->second ? "Instance deregistration currently in progress." : "N/A";
  }
  return health;
}

Task<Result<std::vector<ClassicHealth>>> FakeBalancers::classic_health(std::string name,
                                                                       std::vector<InstanceId> instances,
                                                                       Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.classic_health", name, deadline);
  if (fate.error) co_return *fate.error;
  const Pool* pool = find(name);
  if (pool == nullptr) co_return no_such_pool(name);
  if (instances.empty()) {
    for (const auto& [target, draining] : pool->targets) instances.push_back(target.instance_id);
  }
  std::vector<ClassicHealth> health;
  for (const InstanceId& id : instances) {
    if (!knows(id)) co_return Error(Fault::invalid, "InvalidInstance", "unknown instance");
    health.push_back(classic_health_of(*pool, id));
  }
  co_return health;
}

Task<Result<std::chrono::seconds>> FakeBalancers::classic_draining(std::string name, Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.classic_draining", name, deadline);
  if (fate.error) co_return *fate.error;
  co_return std::chrono::duration_cast<std::chrono::seconds>(pools_.at(name).delay);
}

Task<Result<void>> FakeBalancers::classic_deregister(std::string name, std::vector<InstanceId> instances,
                                                     Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.classic_deregister", name, deadline);
  Pool* pool = find(name);
  if (pool == nullptr) co_return no_such_pool(name);
  if (fate.takes_effect) {
    for (const InstanceId& id : instances) {
      const bool registered = pool->targets.contains(Target(id, 0));
      if (!knows(id) || !registered) co_return Error(Fault::invalid, "InvalidInstance", "not registered");
    }
    for (const InstanceId& id : instances) {
      auto& drained = pool->targets[Target(id, 0)];
      if (!drained) drained = clock_.now() + pool->delay;
    }
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

Task<Result<void>> FakeBalancers::classic_register(std::string name, std::vector<InstanceId> instances,
                                                   Deadline deadline) {
  const Fate fate = co_await script_.enter("balancers.register", name, deadline);
  if (fate.takes_effect) {
    for (const InstanceId& id : instances) put(name, id);
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

}  // namespace ferryman::test
