// SPDX-License-Identifier: Apache-2.0
// AwsCloud: the product's Cloud over Auto Scaling and EC2. Splits long lists into what one call takes.
#pragma once

#include <string>
#include <vector>

#include "aws/auto_scaling.h"
#include "aws/ec2.h"
#include "termination/ports/cloud.h"

namespace ferryman::aws {

class AwsCloud final : public termination::Cloud {
 public:
  /// Both must outlive this.
  AwsCloud(AutoScaling& auto_scaling, Ec2& ec2) : auto_scaling_(auto_scaling), ec2_(ec2) {}

  Task<Result<std::vector<termination::LifecycleHook>>> hooks(std::string group, Deadline deadline) override;
  Task<Result<void>> heartbeat(termination::LifecycleAction action, Deadline deadline) override;
  Task<Result<void>> complete(termination::LifecycleAction action, termination::CompletionResult result,
                              Deadline deadline) override;
  Task<Result<std::vector<termination::GroupMember>>> group_members(std::vector<InstanceId> ids,
                                                                    Deadline deadline) override;
  Task<Result<std::vector<termination::GroupMember>>> members_of(std::vector<std::string> groups,
                                                                 Deadline deadline) override;
  Task<Result<std::vector<termination::GroupTags>>> group_tags(std::vector<std::string> groups,
                                                               Deadline deadline) override;
  Task<Result<std::vector<termination::InstancePlan>>> instance_plans(std::vector<InstanceId> ids,
                                                                      Deadline deadline) override;
  Task<Result<std::vector<termination::Instance>>> instances(std::vector<InstanceId> ids,
                                                             Deadline deadline) override;

 private:
  Task<Result<std::vector<InstanceId>>> known_of(std::vector<InstanceId> ids, Deadline deadline);
  Task<Result<std::vector<termination::InstancePlan>>> plans_of(std::vector<InstanceId> ids,
                                                                Deadline deadline);

  AutoScaling& auto_scaling_;
  Ec2& ec2_;
};

}  // namespace ferryman::aws
