// SPDX-License-Identifier: Apache-2.0
#include "unit/termination/fakes/fake_cloud.h"

#include <algorithm>

namespace ferryman::test {

using termination::GroupMember;
using termination::LifecycleAction;
using termination::LifecycleHook;

namespace {

Error no_such_action() {
  return Error(Fault::invalid, "ValidationError", "No active Lifecycle Action found");
}

}  // namespace

void FakeCloud::add_hook(const std::string& group, const std::string& hook, std::chrono::seconds timeout) {
  LifecycleHook added;
  added.group = group;
  added.name = hook;
  added.transition = "autoscaling:EC2_INSTANCE_TERMINATING";
  added.heartbeat_timeout = timeout;
  added.global_timeout = std::min(100 * timeout, std::chrono::seconds{172'800});
  hooks_[group].push_back(std::move(added));
}

std::chrono::seconds FakeCloud::timeout_of(const std::string& hook) const {
  for (const auto& [group, hooks] : hooks_) {
    for (const LifecycleHook& known : hooks) {
      if (known.name == hook) return known.heartbeat_timeout;
    }
  }
  return std::chrono::hours{1};
}

void FakeCloud::wait_for(const LifecycleAction& action) {
  waits_[{action.instance_id, action.hook}] = {action.token, clock_.now() + timeout_of(action.hook)};
  states_[action.instance_id] = "Terminating:Wait";
}

void FakeCloud::drop(const Key& key) {
  waits_.erase(key);
  const bool more = std::any_of(waits_.begin(), waits_.end(),
                                [&](const auto& entry) { return entry.first.first == key.first; });
  if (!more) states_[key.first] = "Terminating:Proceed";
}

void FakeCloud::end_wait(const LifecycleAction& action) {
  drop({action.instance_id, action.hook});
}

void FakeCloud::drop_expired() {
  std::vector<Key> expired;
  for (const auto& [key, wait] : waits_) {
    if (wait.ends < clock_.now()) expired.push_back(key);
  }
  for (const Key& key : expired) drop(key);
}

FakeCloud::Wait* FakeCloud::find_wait(const LifecycleAction& action) {
  drop_expired();
  const auto found = waits_.find({action.instance_id, action.hook});
  if (found == waits_.end()) return nullptr;
  const bool same = action.token.empty() || action.token == found->second.token;
  return same ? &found->second : nullptr;
}

bool FakeCloud::waits(const LifecycleAction& action) {
  return find_wait(action) != nullptr;
}

Task<Result<std::vector<LifecycleHook>>> FakeCloud::hooks(std::string group, Deadline deadline) {
  const Fate fate = co_await script_.enter("cloud.hooks", group, deadline);
  if (fate.error) co_return *fate.error;
  co_return hooks_[group];
}

Task<Result<void>> FakeCloud::heartbeat(LifecycleAction action, Deadline deadline) {
  const Fate fate = co_await script_.enter("cloud.heartbeat", action.instance_id.str(), deadline);
  if (fate.takes_effect) {
    Wait* wait = find_wait(action);
    if (wait == nullptr) co_return no_such_action();
    wait->ends = clock_.now() + timeout_of(action.hook);
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

Task<Result<void>> FakeCloud::complete(LifecycleAction action, termination::CompletionResult /*result*/,
                                       Deadline deadline) {
  const Fate fate = co_await script_.enter("cloud.complete", action.instance_id.str(), deadline);
  if (fate.takes_effect) {
    if (find_wait(action) == nullptr) co_return no_such_action();
    completions.push_back(action.instance_id.str() + " " + action.hook + " " + action.token);
    drop({action.instance_id, action.hook});
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

GroupMember FakeCloud::member(const InstanceId& id, const std::string& state) const {
  GroupMember member;
  member.instance_id = id;
  const auto group = groups.find(id);
  member.group = group == groups.end() ? "workers-a" : group->second;
  member.lifecycle_state = state;
  return member;
}

Task<Result<std::vector<GroupMember>>> FakeCloud::group_members(std::vector<InstanceId> ids,
                                                                Deadline deadline) {
  const Fate fate = co_await script_.enter("cloud.group_members", ids.front().str(), deadline);
  if (fate.error) co_return *fate.error;
  drop_expired();
  std::vector<GroupMember> members;
  for (const InstanceId& id : ids) {
    const auto state = states_.find(id);
    if (state != states_.end()) members.push_back(member(id, state->second));
  }
  co_return members;
}

Task<Result<std::vector<GroupMember>>> FakeCloud::members_of(std::vector<std::string> groups_in,
                                                             Deadline deadline) {
  const Fate fate = co_await script_.enter("cloud.members_of", groups_in.front(), deadline);
  if (fate.error) co_return *fate.error;
  drop_expired();
  std::vector<GroupMember> members;
  for (const auto& [id, state] : states_) {
    GroupMember one = member(id, state);
    if (std::ranges::find(groups_in, one.group) != groups_in.end()) members.push_back(std::move(one));
  }
  co_return members;
}

Task<Result<std::vector<termination::GroupTags>>> FakeCloud::group_tags(std::vector<std::string> groups_in,
                                                                        Deadline deadline) {
  const Fate fate = co_await script_.enter("cloud.group_tags", groups_in.front(), deadline);
  if (fate.error) co_return *fate.error;
  std::vector<termination::GroupTags> found;
  for (const std::string& group : groups_in) {
    const auto tags = tags_of_groups.find(group);
    if (tags == tags_of_groups.end() || tags->second.empty()) continue;
    termination::GroupTags known;
    known.group = group;
    known.tags = tags->second;
    found.push_back(std::move(known));
  }
  co_return found;
}

Task<Result<std::vector<termination::InstancePlan>>> FakeCloud::instance_plans(std::vector<InstanceId> ids,
                                                                               Deadline deadline) {
  const Fate fate = co_await script_.enter("cloud.instance_plans", ids.front().str(), deadline);
  if (fate.error) co_return *fate.error;
  std::vector<termination::InstancePlan> found;
  for (const termination::InstancePlan& plan : plans) {
    if (std::ranges::find(ids, plan.instance_id) != ids.end()) found.push_back(plan);
  }
  co_return found;
}

Task<Result<std::vector<termination::Instance>>> FakeCloud::instances(std::vector<InstanceId> ids,
                                                                      Deadline deadline) {
  const Fate fate = co_await script_.enter("cloud.instances", ids.front().str(), deadline);
  if (fate.error) co_return *fate.error;
  std::vector<termination::Instance> found;
  for (const InstanceId& id : ids) {
    const auto known = ec2_.try_emplace(id, "running").first;
    if (!known->second) continue;
    termination::Instance instance;
    instance.instance_id = id;
    instance.state = *known->second;
    const auto tags = tags_of_instances.find(id);
    if (tags != tags_of_instances.end()) instance.tags = tags->second;
    found.push_back(std::move(instance));
  }
  co_return found;
}

}  // namespace ferryman::test
