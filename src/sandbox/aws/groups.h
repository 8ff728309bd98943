// SPDX-License-Identifier: Apache-2.0
// Groups: Auto Scaling's part of the world. A launched member is Pending, Pending:Wait (while launch hooks
// hold it), Pending:Proceed, InService. One that is to end goes Terminating, Terminating:Wait,
// Terminating:Proceed; then EC2 shuts it down and it leaves the group, or, in a group with a warm pool, it
// goes Warmed:Pending and Warmed:Stopped until it is taken back. Errors carry Auto Scaling's code
// ("ValidationError") and words.
#pragma once

#include <map>
#include <optional>
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

/// Takes in what scales in, and gives it back when the group scales out.
class WarmPool {
 public:
  WarmPool() = default;

  bool running = false;  // its instances: running, or stopped
};

class Group {
 public:
  Group() = default;

  GroupSpec spec;  // `desired` changes with the group's life
  std::string arn;
  WallTime created;
  std::map<std::string, GroupHook, std::less<>> hooks;
  std::optional<WarmPool> warm_pool;
  std::map<InstanceId, std::string>
      members;  // those of the warm pool too; their lifecycle states: "InService", "Terminating:Wait", …
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

  /// A decrement is a scale-in: a warm pool keeps the instance.
  Result<ScalingActivity> terminate_in_group(const InstanceId& id, bool decrement);
  /// Scales out by one from the warm pool: the instance starts under its own id. False when it is not there.
  bool take_from_warm_pool(const InstanceId& id);
  Result<InstanceId> heartbeat(const ActionKey& key);
  Result<InstanceId> complete(const ActionKey& key, const std::string& result);

  [[nodiscard]] Group* find(std::string_view name);
  /// The group that has the instance as a member, or null.
  [[nodiscard]] Group* group_of(const InstanceId& id);
  [[nodiscard]] const std::map<std::string, Group, std::less<>>& all() const { return groups_; }
  [[nodiscard]] const LifecycleActions& actions() const { return actions_; }

  void instance_running(const Ec2Instance& instance) override;
  void instance_stopped(const Ec2Instance& instance) override;
  void instance_terminated(const Ec2Instance& instance) override;

 private:
  Result<void> check(const ActionKey& key);
  Result<void> check_decrement(const Group& group);
  /// Starts the hooks of that transition; false when the group has none.
  bool wait(const InstanceId& id, std::string_view transition, LifecycleNotice ends,
            LifecycleActions::Finished finished);
  void begin_service(const InstanceId& id, const std::string& origin);
  void enter_service(const InstanceId& id, const std::string& result);
  void end_service(const InstanceId& id, const std::string& destination);
  void proceed(const InstanceId& id, const std::string& destination);
  void enter_warm_pool(const InstanceId& id);
  void forget(const InstanceId& id);
  void replace_missing(const std::string& name);

  Instances& instances_;
  LifecycleActions& actions_;
  Timeline& timeline_;
  Random& random_;
  const AwsSettings& settings_;
  std::map<std::string, Group, std::less<>> groups_;
  bool settled_ = false;  // what is launched now is in service since before the story began
};

}  // namespace ferryman::sandbox
