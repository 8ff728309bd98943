// SPDX-License-Identifier: Apache-2.0
// AutoScaling: the Auto Scaling calls that we make (query protocol, 2011-01-01).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aws/service_client.h"
#include "termination/ports/cloud.h"

namespace ferryman::aws {

class AutoScaling {
 public:
  /// The client must outlive this.
  explicit AutoScaling(ServiceClient& client) : client_(client) {}

  /// DescribeLifecycleHooks of one group; the answer has no pages.
  Task<Result<std::vector<termination::LifecycleHook>>> describe_lifecycle_hooks(std::string group,
                                                                                 Deadline deadline);

  /// By instance id, and by the token too when the action has one.
  Task<Result<void>> record_lifecycle_action_heartbeat(termination::LifecycleAction action,
                                                       Deadline deadline);
  Task<Result<void>> complete_lifecycle_action(termination::LifecycleAction action,
                                               termination::CompletionResult result, Deadline deadline);

  /// DescribeAutoScalingInstances: 1–50 ids, all pages. Unknown ids are absent.
  Task<Result<std::vector<termination::GroupMember>>> describe_auto_scaling_instances(
      std::vector<InstanceId> ids, Deadline deadline);

  /// DescribeAutoScalingGroups: everybody in these groups, 1–50 names, all pages. Unknown groups are absent.
  Task<Result<std::vector<termination::GroupMember>>> describe_auto_scaling_groups(
      std::vector<std::string> groups, Deadline deadline);

  /// DescribeTags with the filter auto-scaling-group: 1–200 groups, all pages. A group without tags, or
  /// unknown, is absent.
  Task<Result<std::vector<termination::GroupTags>>> describe_tags(std::vector<std::string> groups,
                                                                  Deadline deadline);

 private:
  ServiceClient& client_;
};

/// One page of members and the token of the next (empty: the last).
class MemberPage {
 public:
  MemberPage() = default;

  std::vector<termination::GroupMember> members;
  std::string next_token;
};

/// One page of tags, each with its group; one group's tags can go on in the next page.
class GroupTagPage {
 public:
  GroupTagPage() = default;

  class Row {
   public:
    Row() = default;

    std::string group;
    std::string key;
    std::string value;
  };

  std::vector<Row> rows;
  std::string next_token;
};

/// Error: unexpected, when the text is no such answer or lacks something that we need.
Result<std::vector<termination::LifecycleHook>> parse_lifecycle_hooks(std::string_view body);
Result<MemberPage> parse_members(std::string_view body);
Result<MemberPage> parse_groups(std::string_view body);
Result<GroupTagPage> parse_group_tags(std::string_view body);

}  // namespace ferryman::aws
