// SPDX-License-Identifier: Apache-2.0
// Groups: Auto Scaling's part of the world. A member that is to end goes Terminating, Terminating:Wait (while
// hooks hold it), Terminating:Proceed; then EC2 shuts it down and it leaves the group. Errors carry Auto
// Scaling's code ("ValidationError") and words.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sandbox/aws/instances.h"
#include "sandbox/aws/lifecycle_actions.h"

namespace ferryman::sandbox {

class GroupSpec {
 public:
  GroupSpec() = default;

  std::string name;
  int min = 0;
  int desired = 0;
  int max = 1000;
  std::map<std::string, std::string> tags;  // of the group and of the instances it launches
  std::vector<std::string> zones;           // empty: a, b and c of the region
};

class Group {
 public:
  Group() = default;

  GroupSpec spec;  // `desired` changes with the group's life
  std::string arn;
  WallTime created;
  std::map<std::string, GroupHook, std::less<>> hooks;
  std::map<InstanceId, std::string> members;  // their lifecycle states: "InService", "Terminating:Wait", …
};

/// What TerminateInstanceInAutoScalingGroup answers.
class ScalingActivity {
 public:
  ScalingActivity() = default;

  std::string id;
  std::string group;
  std::string cause;
  std::string description;
  WallTime started;
};

class Groups final : public InstanceObserver {
 public:
  Groups(Instances& instances, LifecycleActions& actions, Timeline& timeline, Random& random,
         const AwsSettings& settings);

  /// A group of that name; replaces none: an existing one is returned as it is.
  Group& create(const GroupSpec& spec);
  /// An instance that is a member at once; `desired` counts it. `spec.tags` come on top of the group's.
  InstanceId launch(Group& group, LaunchSpec spec);

  Result<ScalingActivity> terminate_in_group(const InstanceId& id, bool decrement);
  Result<InstanceId> heartbeat(const ActionKey& key);
  Result<InstanceId> complete(const ActionKey& key, const std::string& result);

  [[nodiscard]] Group* find(std::string_view name);
  /// The group that has the instance as a member, or null.
  [[nodiscard]] Group* group_of(const InstanceId& id);
  [[nodiscard]] const std::map<std::string, Group, std::less<>>& all() const { return groups_; }
  [[nodiscard]] const LifecycleActions& actions() const { return actions_; }

  void instance_running(const Ec2Instance& instance) override;
  void instance_terminated(const Ec2Instance& instance) override;

 private:
  Result<void> check(const ActionKey& key);
  void wait_for_hooks(const InstanceId& id);
  void proceed(const InstanceId& id);
  void replace_missing(const std::string& name);

  Instances& instances_;
  LifecycleActions& actions_;
  Timeline& timeline_;
  Random& random_;
  const AwsSettings& settings_;
  std::map<std::string, Group, std::less<>> groups_;
};

}  // namespace ferryman::sandbox
