// SPDX-License-Identifier: Apache-2.0
// ShadowBalancers: Balancers that reads, and shows what it "deregistered" as not registered any more.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "termination/ports/balancers.h"

namespace ferryman::termination::shadow {

class ShadowBalancers final : public Balancers {
 public:
  /// `real` must outlive this.
  ShadowBalancers(Log log, Balancers& real) : log_(std::move(log)), real_(real) {}

  Task<Result<std::vector<TargetGroup>>> target_groups(Deadline deadline) override {
    return real_.target_groups(deadline);
  }
  Task<Result<std::map<std::string, TargetGroupTags>>> target_group_tags(std::vector<std::string> group_arns,
                                                                         Deadline deadline) override {
    return real_.target_group_tags(std::move(group_arns), deadline);
  }
  Task<Result<std::vector<TargetHealth>>> target_health(std::string group_arn, std::vector<Target> targets,
                                                        Deadline deadline) override;
  Task<Result<std::chrono::seconds>> deregistration_delay(std::string group_arn, Deadline deadline) override {
    return real_.deregistration_delay(std::move(group_arn), deadline);
  }
  Task<Result<void>> deregister(std::string group_arn, std::vector<Target> targets,
                                Deadline deadline) override;
  Task<Result<void>> register_again(std::string group_arn, std::vector<Target> targets,
                                    Deadline deadline) override;
  Task<Result<std::vector<ClassicBalancer>>> classic_balancers(Deadline deadline) override;
  Task<Result<std::vector<ClassicHealth>>> classic_health(std::string name, std::vector<InstanceId> instances,
                                                          Deadline deadline) override;
  Task<Result<std::chrono::seconds>> classic_draining(std::string name, Deadline deadline) override {
    return real_.classic_draining(std::move(name), deadline);
  }
  Task<Result<void>> classic_deregister(std::string name, std::vector<InstanceId> instances,
                                        Deadline deadline) override;
  Task<Result<void>> classic_register(std::string name, std::vector<InstanceId> instances,
                                      Deadline deadline) override;

 private:
  void would(std::string_view call, std::string_view from, std::size_t targets) const;

  Log log_;
  Balancers& real_;
  std::set<std::pair<std::string, Target>> left_;              // with the group's ARN
  std::set<std::pair<std::string, InstanceId>> left_classic_;  // with the balancer's name
};

}  // namespace ferryman::termination::shadow
