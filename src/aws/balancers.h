// SPDX-License-Identifier: Apache-2.0
// AwsBalancers: the product's Balancers over both versions of Elastic Load Balancing. Splits nothing: a
// refused call must be a whole one for its caller. Without targets or instances it changes nothing, and reads
// the health of all.
#pragma once

#include <string>
#include <vector>

#include "aws/elb2.h"
#include "aws/elb_classic.h"
#include "termination/ports/balancers.h"

namespace ferryman::aws {

class AwsBalancers final : public termination::Balancers {
 public:
  /// Both must outlive this.
  AwsBalancers(Elb2& elb2, ElbClassic& classic) : elb2_(elb2), classic_(classic) {}

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
  Elb2& elb2_;
  ElbClassic& classic_;
};

}  // namespace ferryman::aws
