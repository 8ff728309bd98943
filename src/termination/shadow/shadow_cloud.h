// SPDX-License-Identifier: Apache-2.0
// ShadowCloud: a Cloud that reads, and answers heartbeats and completions itself. An instance whose action it
// "completed" is shown as one that goes on.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "termination/ports/cloud.h"

namespace ferryman::termination::shadow {

class ShadowCloud final : public Cloud {
 public:
  /// `real` must outlive this.
  ShadowCloud(Log log, Cloud& real) : log_(std::move(log)), real_(real) {}

  Task<Result<std::vector<LifecycleHook>>> hooks(std::string group, Deadline deadline) override {
    return real_.hooks(std::move(group), deadline);
  }
  Task<Result<void>> heartbeat(LifecycleAction action, Deadline deadline) override;
  Task<Result<void>> complete(LifecycleAction action, CompletionResult result, Deadline deadline) override;
  Task<Result<std::vector<GroupMember>>> members_of(std::vector<std::string> groups,
                                                    Deadline deadline) override;
  Task<Result<std::vector<GroupMember>>> group_members(std::vector<InstanceId> ids,
                                                       Deadline deadline) override;
  Task<Result<std::vector<GroupTags>>> group_tags(std::vector<std::string> groups,
                                                  Deadline deadline) override {
    return real_.group_tags(std::move(groups), deadline);
  }
  Task<Result<std::vector<InstancePlan>>> instance_plans(std::vector<InstanceId> ids,
                                                         Deadline deadline) override {
    return real_.instance_plans(std::move(ids), deadline);
  }
  Task<Result<std::vector<Instance>>> instances(std::vector<InstanceId> ids, Deadline deadline) override {
    return real_.instances(std::move(ids), deadline);
  }

 private:
  void show(GroupMember& member);

  Log log_;
  Cloud& real_;
  std::set<InstanceId> completed_;
};

}  // namespace ferryman::termination::shadow
