// SPDX-License-Identifier: Apache-2.0
#include "aws/balancers.h"

namespace ferryman::aws {

using termination::ClassicBalancer;
using termination::ClassicHealth;
using termination::Target;
using termination::TargetGroup;
using termination::TargetHealth;

Task<Result<std::vector<TargetGroup>>> AwsBalancers::target_groups(Deadline deadline) {
  co_return co_await elb2_.describe_target_groups(deadline);
}

Task<Result<std::map<std::string, termination::TargetGroupTags>>> AwsBalancers::target_group_tags(
    std::vector<std::string> group_arns, Deadline deadline) {
  if (group_arns.empty()) co_return std::map<std::string, termination::TargetGroupTags>();
  co_return co_await elb2_.describe_tags(std::move(group_arns), deadline);
}

Task<Result<std::vector<TargetHealth>>> AwsBalancers::target_health(std::string group_arn,
                                                                    std::vector<Target> targets,
                                                                    Deadline deadline) {
  co_return co_await elb2_.describe_target_health(std::move(group_arn), std::move(targets), deadline);
}

Task<Result<std::chrono::seconds>> AwsBalancers::deregistration_delay(std::string group_arn,
                                                                      Deadline deadline) {
  co_return co_await elb2_.deregistration_delay(std::move(group_arn), deadline);
}

Task<Result<void>> AwsBalancers::deregister(std::string group_arn, std::vector<Target> targets,
                                            Deadline deadline) {
  if (targets.empty()) co_return Result<void>();
  co_return co_await elb2_.deregister_targets(std::move(group_arn), std::move(targets), deadline);
}

Task<Result<void>> AwsBalancers::register_again(std::string group_arn, std::vector<Target> targets,
                                                Deadline deadline) {
  if (targets.empty()) co_return Result<void>();
  co_return co_await elb2_.register_targets(std::move(group_arn), std::move(targets), deadline);
}

Task<Result<std::vector<ClassicBalancer>>> AwsBalancers::classic_balancers(Deadline deadline) {
  co_return co_await classic_.describe_load_balancers(deadline);
}

Task<Result<std::vector<ClassicHealth>>> AwsBalancers::classic_health(std::string name,
                                                                      std::vector<InstanceId> instances,
                                                                      Deadline deadline) {
  co_return co_await classic_.describe_instance_health(std::move(name), std::move(instances), deadline);
}

Task<Result<std::chrono::seconds>> AwsBalancers::classic_draining(std::string name, Deadline deadline) {
  co_return co_await classic_.connection_draining(std::move(name), deadline);
}

Task<Result<void>> AwsBalancers::classic_deregister(std::string name, std::vector<InstanceId> instances,
                                                    Deadline deadline) {
  if (instances.empty()) co_return Result<void>();
  co_return co_await classic_.deregister_instances(std::move(name), std::move(instances), deadline);
}

Task<Result<void>> AwsBalancers::classic_register(std::string name, std::vector<InstanceId> instances,
                                                  Deadline deadline) {
  if (instances.empty()) co_return Result<void>();
  co_return co_await classic_.register_instances(std::move(name), std::move(instances), deadline);
}

}  // namespace ferryman::aws
