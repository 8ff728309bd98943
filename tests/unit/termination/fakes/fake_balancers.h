// SPDX-License-Identifier: Apache-2.0
// FakeBalancers: Elastic Load Balancing as far as the product sees it: target groups and classic balancers
// whose targets drain for a delay and are let go then. Operations in the script: balancers.groups,
// balancers.tags, balancers.health, balancers.delay, balancers.deregister, balancers.register,
// balancers.classic, balancers.classic_health, balancers.classic_draining, balancers.classic_deregister.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "termination/ports/balancers.h"
#include "unit/termination/fakes/script.h"

namespace ferryman::test {

class FakeBalancers final : public termination::Balancers {
 public:
  FakeBalancers(Clock& clock, Script& script) : clock_(clock), script_(script) {}

  /// "arn:" and the name.
  static std::string arn(const std::string& name) { return "arn:" + name; }

  void add_group(const std::string& name, termination::BalancerType type, Duration delay);
  /// Of a group that is there.
  void set_facts(const std::string& name, const std::function<void(termination::TargetGroup&)>& edit);
  void set_tags(const std::string& name, termination::TargetGroupTags tags);
  void remove(const std::string& pool) { pools_.erase(pool); }
  void set_healthy(const std::string& pool, const InstanceId& instance, bool healthy);
  void add_classic(const std::string& name, Duration draining);
  /// To a group's ARN or a classic balancer's name; whoever does it.
  void put(const std::string& pool, const InstanceId& instance, std::uint16_t port = 0);
  /// As somebody else's deregistration does.
  void take_out(const std::string& pool, const InstanceId& instance, std::uint16_t port = 0) {
    Pool& from = pools_.at(pool);
    from.targets[termination::Target(instance, port)] = clock_.now() + from.delay;
  }
  /// EC2 does not know it (any more).
  void set_unknown(const InstanceId& instance) { unknown_.push_back(instance); }
  /// Registered or draining.
  [[nodiscard]] bool holds(const std::string& pool, const InstanceId& instance) const;
  /// Registered, and not on its way out.
  [[nodiscard]] bool serves(const std::string& pool, const InstanceId& instance) const;
  std::size_t largest_batch = 0;  // of targets in one deregistering call

  Task<Result<std::vector<termination::TargetGroup>>> target_groups(Deadline deadline) override;
  Task<Result<std::map<std::string, termination::TargetGroupTags>>> target_group_tags(
      std::vector<std::string> group_arns, Deadline deadline) override;
  Task<Result<std::vector<termination::TargetHealth>>> target_health(std::string group_arn,
                                                                     std::vector<termination::Target> targets,
                                                                     Deadline deadline) override;
  Task<Result<std::chrono::seconds>> deregistration_delay(std::string group_arn, Deadline deadline) override;
  Task<Result<void>> deregister(std::string group_arn, std::vector<termination::Target> targets,
                                Deadline deadline) override;
  Task<Result<void>> register_again(std::string group_arn, std::vector<termination::Target> targets,
                                    Deadline deadline) override;
  Task<Result<std::vector<termination::ClassicBalancer>>> classic_balancers(Deadline deadline) override;
  Task<Result<std::vector<termination::ClassicHealth>>> classic_health(std::string name,
                                                                       std::vector<InstanceId> instances,
                                                                       Deadline deadline) override;
  Task<Result<std::chrono::seconds>> classic_draining(std::string name, Deadline deadline) override;
  Task<Result<void>> classic_deregister(std::string name, std::vector<InstanceId> instances,
                                        Deadline deadline) override;
  Task<Result<void>> classic_register(std::string name, std::vector<InstanceId> instances,
                                      Deadline deadline) override;

 private:
  struct Pool {
    termination::BalancerType type = termination::BalancerType::application;
    termination::TargetGroup facts;
    termination::TargetGroupTags tags;
    Duration delay{0};
    std::set<InstanceId> unhealthy;
    std::map<termination::Target, std::optional<SteadyTime>> targets;  // with a time: draining until then
  };

  [[nodiscard]] bool knows(const InstanceId& instance) const;
  void drop_drained();
  Pool* find(const std::string& id);
  [[nodiscard]] termination::TargetHealth health_of(const Pool& pool,
                                                    const termination::Target& target) const;
  [[nodiscard]] termination::ClassicHealth classic_health_of(const Pool& pool, const InstanceId& id) const;

  Clock& clock_;
  Script& script_;
  std::map<std::string, Pool> pools_;
  std::vector<InstanceId> unknown_;
};

}  // namespace ferryman::test
