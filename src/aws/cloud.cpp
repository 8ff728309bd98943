// SPDX-License-Identifier: Apache-2.0
#include "aws/cloud.h"

#include <algorithm>

namespace ferryman::aws {

namespace {

/// The next at most `most` values from `start` on.
template <typename T>
std::vector<T> chunk(const std::vector<T>& values, std::size_t start, std::size_t most) {
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(start);
  return {first, first + static_cast<std::ptrdiff_t>(std::min(most, values.size() - start))};
}

}  // namespace

Task<Result<std::vector<termination::LifecycleHook>>> AwsCloud::hooks(std::string group, Deadline deadline) {
  auto answer = co_await auto_scaling_.describe_lifecycle_hooks(std::move(group), deadline);
  // Auto Scaling has no code of its own for an unknown group.
  if (!answer && answer.error().code == "ValidationError") {
    Error error = std::move(answer).error();
    error.fault = Fault::not_found;
    co_return error;
  }
  co_return answer;
}

Task<Result<void>> AwsCloud::heartbeat(termination::LifecycleAction action, Deadline deadline) {
  co_return co_await auto_scaling_.record_lifecycle_action_heartbeat(std::move(action), deadline);
}

Task<Result<void>> AwsCloud::complete(termination::LifecycleAction action,
                                      termination::CompletionResult result, Deadline deadline) {
  co_return co_await auto_scaling_.complete_lifecycle_action(std::move(action), result, deadline);
}

Task<Result<std::vector<termination::GroupMember>>> AwsCloud::group_members(std::vector<InstanceId> ids,
                                                                            Deadline deadline) {
  std::vector<termination::GroupMember> all;
  for (std::size_t start = 0; start < ids.size(); start += limits::auto_scaling_instances) {
    auto some = chunk(ids, start, limits::auto_scaling_instances);
    FERRYMAN_TRY(members, co_await auto_scaling_.describe_auto_scaling_instances(std::move(some), deadline));
    std::ranges::move(members, std::back_inserter(all));
  }
  co_return all;
}

Task<Result<std::vector<termination::GroupMember>>> AwsCloud::members_of(std::vector<std::string> groups,
                                                                         Deadline deadline) {
  std::vector<termination::GroupMember> all;
  for (std::size_t start = 0; start < groups.size(); start += limits::auto_scaling_names) {
    auto some = chunk(groups, start, limits::auto_scaling_names);
    FERRYMAN_TRY(members, co_await auto_scaling_.describe_auto_scaling_groups(std::move(some), deadline));
    std::ranges::move(members, std::back_inserter(all));
  }
  co_return all;
}

Task<Result<std::vector<termination::GroupTags>>> AwsCloud::group_tags(std::vector<std::string> groups,
                                                                       Deadline deadline) {
  std::vector<termination::GroupTags> all;
  for (std::size_t start = 0; start < groups.size(); start += limits::auto_scaling_groups) {
    auto some = chunk(groups, start, limits::auto_scaling_groups);
    FERRYMAN_TRY(tags, co_await auto_scaling_.describe_tags(std::move(some), deadline));
    std::ranges::move(tags, std::back_inserter(all));
  }
  co_return all;
}

Task<Result<std::vector<InstanceId>>> AwsCloud::known_of(std::vector<InstanceId> ids, Deadline deadline) {
  FERRYMAN_TRY(found, co_await ec2_.describe_instances(std::move(ids), deadline));
  std::vector<InstanceId> known;
  for (const termination::Instance& instance : found) known.push_back(instance.instance_id);
  co_return known;
}

/// One id that EC2 does not know (a Node that outlives its instance) fails the call for all: those that it
/// knows are asked for again.
Task<Result<std::vector<termination::InstancePlan>>> AwsCloud::plans_of(std::vector<InstanceId> ids,
                                                                        Deadline deadline) {
  auto plans = co_await ec2_.describe_instance_status(ids, deadline);
  if (plans || !plans.error().code.starts_with("InvalidInstanceID")) co_return plans;
  FERRYMAN_TRY(known, co_await known_of(std::move(ids), deadline));
  if (known.empty()) co_return std::vector<termination::InstancePlan>();
  co_return co_await ec2_.describe_instance_status(std::move(known), deadline);
}

Task<Result<std::vector<termination::InstancePlan>>> AwsCloud::instance_plans(std::vector<InstanceId> ids,
                                                                              Deadline deadline) {
  std::vector<termination::InstancePlan> all;
  for (std::size_t start = 0; start < ids.size(); start += limits::ec2_status_ids) {
    auto some = chunk(ids, start, limits::ec2_status_ids);
    FERRYMAN_TRY(plans, co_await plans_of(std::move(some), deadline));
    std::ranges::move(plans, std::back_inserter(all));
  }
  co_return all;
}

Task<Result<std::vector<termination::Instance>>> AwsCloud::instances(std::vector<InstanceId> ids,
                                                                     Deadline deadline) {
  std::vector<termination::Instance> all;
  for (std::size_t start = 0; start < ids.size(); start += limits::ec2_filter_values) {
    auto some = chunk(ids, start, limits::ec2_filter_values);
    FERRYMAN_TRY(found, co_await ec2_.describe_instances(std::move(some), deadline));
    std::ranges::move(found, std::back_inserter(all));
  }
  co_return all;
}

}  // namespace ferryman::aws
