// SPDX-License-Identifier: Apache-2.0
#include "aws/cloud.h"

#include <algorithm>

namespace ferryman::aws {

namespace {

/// The next at most `most` ids from `start` on.
std::vector<InstanceId> chunk(const std::vector<InstanceId>& ids, std::size_t start, std::size_t most) {
  const auto first = ids.begin() + static_cast<std::ptrdiff_t>(start);
  return {first, first + static_cast<std::ptrdiff_t>(std::min(most, ids.size() - start))};
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
