// SPDX-License-Identifier: Apache-2.0
// LifecycleActions: what Auto Scaling waits for: one action per hook of an instance in transition. A
// heartbeat starts the hook's timeout anew, never past the global timeout; when it runs out, the hook's
// default result holds. Facts: hook.waiting, hook.completed, hook.timed_out, hook.dropped (ended by another's
// ABANDON or with its instance).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "sandbox/aws/event_bus.h"
#include "sandbox/journal.h"
#include "sandbox/timeline.h"

namespace ferryman::sandbox {

class GroupHook {
 public:
  GroupHook() = default;

  /// 100 heartbeat timeouts, 48 hours at most.
  [[nodiscard]] std::chrono::seconds global_timeout() const;

  std::string name;
  std::string transition = "autoscaling:EC2_INSTANCE_TERMINATING";
  std::chrono::seconds heartbeat_timeout{3600};
  std::string default_result = "ABANDON";  // what PutLifecycleHook takes when none is named
  std::string metadata;
  std::string notification_target_arn;  // a queue that is told without EventBridge; may be empty
  std::string role_arn;
};

/// Which action a call means: by token, or by instance id.
class ActionKey {
 public:
  ActionKey() = default;

  std::string group;
  std::string hook;
  std::string token;       // may be empty
  InstanceId instance_id;  // may be empty
  std::string caller;      // who calls, for the journal
};

/// What waits on one hook.
class LifecycleWait {
 public:
  LifecycleWait() = default;

  GroupHook hook;
  LifecycleNotice notice;
  SteadyTime expires;
  SteadyTime global_end;
  Timeline::Ticket timer = 0;
};

class LifecycleActions {
 public:
  /// Called when no action of the instance is left; `result` is "ABANDON" when any ended so.
  using Finished = std::function<void(const InstanceId& id, const std::string& result)>;

  LifecycleActions(Timeline& timeline, Random& random, Journal& journal, EventBus& events)
      : timeline_(timeline), random_(random), journal_(journal), events_(events) {}

  /// One action per hook, each with its token and notification. `notice` holds group, transition, ends and
  /// instance. What waited for the instance before is dropped.
  void start(const LifecycleNotice& notice, const std::vector<GroupHook>& hooks, Finished finished);

  /// Errors: invalid "ValidationError" when no such action waits (any more).
  Result<InstanceId> heartbeat(const ActionKey& key);
  /// `result`: "CONTINUE" or "ABANDON". Errors: the same.
  Result<InstanceId> complete(const ActionKey& key, const std::string& result);
  /// The instance is gone: its actions end without a result.
  void drop(const InstanceId& id);

  /// Empty when nothing waits for the instance.
  [[nodiscard]] const std::vector<LifecycleWait>& waits(const InstanceId& id) const;

 private:
  class Transition {
   public:
    std::vector<LifecycleWait> waits;
    Finished finished;
    std::string result = "CONTINUE";
  };

  LifecycleWait* find(const ActionKey& key);
  void arm(LifecycleWait& wait);
  void time_out(const InstanceId& id, const std::string& hook);
  void end(const InstanceId& id, const std::string& hook, const std::string& result);
  void fact(const char* what, const LifecycleWait& wait, std::map<std::string, std::string> more);

  Timeline& timeline_;
  Random& random_;
  Journal& journal_;
  EventBus& events_;
  std::map<InstanceId, Transition> transitions_;
};

}  // namespace ferryman::sandbox
