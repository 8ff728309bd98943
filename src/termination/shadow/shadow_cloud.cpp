// SPDX-License-Identifier: Apache-2.0
#include "termination/shadow/shadow_cloud.h"

namespace ferryman::termination::shadow {

Task<Result<void>> ShadowCloud::heartbeat(LifecycleAction action, Deadline /*deadline*/) {
  log_.info("shadow.would", {{"call", "RecordLifecycleActionHeartbeat"},
                             {"instance", action.instance_id},
                             {"group", action.group},
                             {"hook", action.hook}});
  co_return Result<void>();
}

Task<Result<void>> ShadowCloud::complete(LifecycleAction action, CompletionResult result,
                                         Deadline /*deadline*/) {
  log_.info("shadow.would", {{"call", "CompleteLifecycleAction"},
                             {"instance", action.instance_id},
                             {"group", action.group},
                             {"hook", action.hook},
                             {"result", result == CompletionResult::proceed ? "CONTINUE" : "ABANDON"}});
  completed_.insert(action.instance_id);
  co_return Result<void>();
}

/// "Terminating:Wait" becomes "Terminating:Proceed". An instance that really went on is itself again.
void ShadowCloud::show(GroupMember& member) {
  constexpr std::string_view waits = ":Wait";
  if (!completed_.contains(member.instance_id)) return;
  if (!member.lifecycle_state.ends_with(waits)) {
    completed_.erase(member.instance_id);
    return;
  }
  member.lifecycle_state.resize(member.lifecycle_state.size() - waits.size());
  member.lifecycle_state += ":Proceed";
}

Task<Result<std::vector<GroupMember>>> ShadowCloud::group_members(std::vector<InstanceId> ids,
                                                                  Deadline deadline) {
  FERRYMAN_TRY(members, co_await real_.group_members(std::move(ids), deadline));
  for (GroupMember& member : members) show(member);
  co_return std::move(members);
}

Task<Result<std::vector<GroupMember>>> ShadowCloud::members_of(std::vector<std::string> groups,
                                                               Deadline deadline) {
  FERRYMAN_TRY(members, co_await real_.members_of(std::move(groups), deadline));
  for (GroupMember& member : members) show(member);
  co_return std::move(members);
}

}  // namespace ferryman::termination::shadow
