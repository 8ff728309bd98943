// SPDX-License-Identifier: Apache-2.0
// FakeCloud: Auto Scaling as far as the product sees it: hooks that wait, time out when nobody beats them and
// are completed once. Operations in the script: cloud.hooks, cloud.heartbeat, cloud.complete,
// cloud.group_members, cloud.members_of, cloud.group_tags, cloud.instance_plans, cloud.instances.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "termination/ports/cloud.h"
#include "unit/termination/fakes/script.h"

namespace ferryman::test {

class FakeCloud final : public termination::Cloud {
 public:
  FakeCloud(Clock& clock, Script& script) : clock_(clock), script_(script) {}

  void add_hook(const std::string& group, const std::string& hook, std::chrono::seconds timeout);
  /// From now on Auto Scaling waits for this action.
  void wait_for(const termination::LifecycleAction& action);
  /// The wait ends without us: its timeout came, or another completed it.
  void end_wait(const termination::LifecycleAction& action);
  void set_state(const InstanceId& id, std::string state) { states_[id] = std::move(state); }
  /// In EC2; each id that is asked for runs until told otherwise. Empty: EC2 does not know it.
  void set_instance(const InstanceId& id, std::optional<std::string> state) { ec2_[id] = std::move(state); }

  Task<Result<std::vector<termination::LifecycleHook>>> hooks(std::string group, Deadline deadline) override;
  Task<Result<void>> heartbeat(termination::LifecycleAction action, Deadline deadline) override;
  Task<Result<void>> complete(termination::LifecycleAction action, termination::CompletionResult result,
                              Deadline deadline) override;
  Task<Result<std::vector<termination::GroupMember>>> group_members(std::vector<InstanceId> ids,
                                                                    Deadline deadline) override;
  Task<Result<std::vector<termination::GroupMember>>> members_of(std::vector<std::string> groups_in,
                                                                 Deadline deadline) override;
  Task<Result<std::vector<termination::GroupTags>>> group_tags(std::vector<std::string> groups_in,
                                                               Deadline deadline) override;
  Task<Result<std::vector<termination::InstancePlan>>> instance_plans(std::vector<InstanceId> ids,
                                                                      Deadline deadline) override;
  Task<Result<std::vector<termination::Instance>>> instances(std::vector<InstanceId> ids,
                                                             Deadline deadline) override;

  [[nodiscard]] bool waits(const termination::LifecycleAction& action);
  using Tags = std::vector<std::pair<std::string, std::string>>;
  std::map<std::string, Tags> tags_of_groups;
  std::map<InstanceId, Tags> tags_of_instances;
  std::map<InstanceId, std::string> groups;  // of instances; the others are in "workers-a"
  std::vector<termination::InstancePlan> plans;
  /// Accepted completions, as "instance hook token".
  std::vector<std::string> completions;

 private:
  using Key = std::pair<InstanceId, std::string>;
  struct Wait {
    std::string token;
    SteadyTime ends;
  };

  [[nodiscard]] termination::GroupMember member(const InstanceId& id, const std::string& state) const;
  [[nodiscard]] std::chrono::seconds timeout_of(const std::string& hook) const;
  /// Null: no such action waits, or the token is another's.
  Wait* find_wait(const termination::LifecycleAction& action);
  void drop_expired();
  void drop(const Key& key);

  Clock& clock_;
  Script& script_;
  std::map<std::string, std::vector<termination::LifecycleHook>> hooks_;  // by group
  std::map<Key, Wait> waits_;
  std::map<InstanceId, std::string> states_;
  std::map<InstanceId, std::optional<std::string>> ec2_;
};

}  // namespace ferryman::test
