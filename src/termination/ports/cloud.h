// SPDX-License-Identifier: Apache-2.0
// Cloud: what the product asks of Auto Scaling and EC2 (load balancers come with their own port).
// Adapter: aws/cloud. It fetches and writes; it decides nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/task.h"
#include "base/time.h"

namespace ferryman::termination {

/// What Auto Scaling waits for. The token is optional: calls go by instance id and hook name.
class LifecycleAction {
 public:
  LifecycleAction() = default;

  std::string group;
  std::string hook;
  std::string token;        // may be empty
  std::string transition;   // "autoscaling:EC2_INSTANCE_TERMINATING" or "autoscaling:EC2_INSTANCE_LAUNCHING"
  std::string origin;       // "EC2", "AutoScalingGroup", "WarmPool"; empty when the notice names none
  std::string destination;  // "EC2", "AutoScalingGroup", "WarmPool"; empty when the notice names none
  InstanceId instance_id;
};

/// One hook of a group (DescribeLifecycleHooks).
class LifecycleHook {
 public:
  LifecycleHook() = default;

  std::string group;
  std::string name;
  std::string transition;
  std::chrono::seconds heartbeat_timeout{3600};  // 30–7200 s
  std::chrono::seconds global_timeout{172'800};  // 100 × heartbeat_timeout, 48 h at most
  std::string default_result;                    // "CONTINUE" or "ABANDON"
};

/// How Auto Scaling sees an instance (DescribeAutoScalingInstances, DescribeAutoScalingGroups).
class GroupMember {
 public:
  GroupMember() = default;

  InstanceId instance_id;
  std::string group;
  std::string lifecycle_state;  // "InService", "Terminating:Wait", "Terminating:Proceed",
                                // "Warmed:Terminating:Wait", …
};

/// How EC2 sees an instance (DescribeInstances, by filter: unknown ids are absent, not an error).
class Instance {
 public:
  Instance() = default;

  InstanceId instance_id;
  std::string state;  // "pending", "running", "shutting-down", "terminated", "stopping", "stopped"
  std::string private_dns_name;
  std::vector<std::pair<std::string, std::string>> tags;
};

/// One scheduled event of an instance (DescribeInstanceStatus).
class InstancePlan {
 public:
  InstancePlan() = default;

  InstanceId instance_id;
  std::string id;    // "instance-event-0d59937288b749b32"
  std::string code;  // "instance-reboot", "system-reboot", "system-maintenance", "instance-retirement",
                     // "instance-stop"
  std::string description;  // begins with "[Completed]" or "[Canceled]" when it is over
  WallTime starts;
  std::optional<WallTime> ends;
};

/// The tags of one Auto Scaling group (DescribeTags).
class GroupTags {
 public:
  GroupTags() = default;

  std::string group;
  std::vector<std::pair<std::string, std::string>> tags;
};

enum class CompletionResult : std::uint8_t { proceed, abandon };  // CONTINUE, ABANDON

class Cloud {
 public:
  virtual ~Cloud() = default;

  /// All hooks of the group. not_found: no such group.
  virtual Task<Result<std::vector<LifecycleHook>>> hooks(std::string group, Deadline deadline) = 0;

  /// RecordLifecycleActionHeartbeat: starts the hook's timeout anew.
  /// invalid with code "ValidationError": no such action waits (any more).
  virtual Task<Result<void>> heartbeat(LifecycleAction action, Deadline deadline) = 0;

  /// CompleteLifecycleAction. invalid with code "ValidationError": no such action waits (any more).
  virtual Task<Result<void>> complete(LifecycleAction action, CompletionResult result, Deadline deadline) = 0;

  /// At most 50 ids a call are sent; longer lists are split. Unknown ids are absent from the answer.
  virtual Task<Result<std::vector<GroupMember>>> group_members(std::vector<InstanceId> ids,
                                                               Deadline deadline) = 0;

  /// Everybody in these groups: 50 groups a call, all pages. Unknown groups are absent.
  virtual Task<Result<std::vector<GroupMember>>> members_of(std::vector<std::string> groups,
                                                            Deadline deadline) = 0;

  /// The tags of these groups, one call for up to 200 of them (all pages); a group without tags is absent.
  virtual Task<Result<std::vector<GroupTags>>> group_tags(std::vector<std::string> groups,
                                                          Deadline deadline) = 0;

  /// What AWS plans for these instances: filter instance-id, 100 a call; those without plans are absent.
  virtual Task<Result<std::vector<InstancePlan>>> instance_plans(std::vector<InstanceId> ids,
                                                                 Deadline deadline) = 0;

  /// Filter instance-id, at most 200 values a call, never an empty list. Unknown ids are absent from the
  /// answer.
  virtual Task<Result<std::vector<Instance>>> instances(std::vector<InstanceId> ids, Deadline deadline) = 0;
};

}  // namespace ferryman::termination
