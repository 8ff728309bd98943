// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/arrivals.h"

namespace ferryman::termination::balancers {

namespace {

constexpr std::size_t most_targets = 200;

}  // namespace

Task<Result<void>> Arrivals::enter(const Deregistration& where, std::vector<Target> targets) {
  if (where.type != BalancerType::classic)
    co_return co_await port_.register_again(where.pool, std::move(targets), context_.call_deadline());
  std::vector<InstanceId> instances;
  instances.reserve(targets.size());
  for (const Target& target : targets) instances.push_back(target.instance_id);
  co_return co_await port_.classic_register(where.pool, std::move(instances), context_.call_deadline());
}

/// One that cannot be registered fails the call for all: then each is tried alone.
Task<Result<std::map<Target, bool>>> Arrivals::ask(Deregistration where, std::vector<Target> targets) {
  std::map<Target, bool> done;
  const Result<void> all = co_await enter(where, targets);
  const bool one_is_bad = !all && all.error().fault == Fault::invalid && targets.size() > 1;
  if (!all && !one_is_bad) co_return all.error();
  for (const Target& target : targets) {
    if (one_is_bad) {
      std::vector<Target> alone{target};
      if (!co_await enter(where, std::move(alone))) continue;
    }
    done[target] = true;
  }
  co_return done;
}

Task<Result<void>> Arrivals::put_back(InstanceId instance_id, Deregistration where) {
  auto& pool = pools_[where.pool];
  if (pool == nullptr) {
    pool = std::make_unique<Registering>(
        context_, calls_, "targets.put_back", most_targets,
        [this, where](std::vector<Target> targets) { return ask(where, std::move(targets)); });
  }
  InstanceId id = where.address.empty() ? std::move(instance_id) : InstanceId(where.address);
  FERRYMAN_TRY(done, co_await pool->get(Target(std::move(id), where.port)));
  if (!done) co_return Error(Fault::invalid, where.pool + " does not take the instance");
  co_return Result<void>();
}

}  // namespace ferryman::termination::balancers
