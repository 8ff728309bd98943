// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/lifecycle_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

std::chrono::seconds GroupHook::global_timeout() const {
  return std::min<std::chrono::seconds>(heartbeat_timeout * 100, std::chrono::hours{48});
}

void LifecycleActions::start(const LifecycleNotice& notice, const std::vector<GroupHook>& hooks,
                             Finished finished) {
  const SteadyTime now = timeline_.clock().now();
  drop(notice.instance_id);
  Transition& transition = transitions_[notice.instance_id];
  transition.finished = std::move(finished);
  for (const GroupHook& hook : hooks) {
    LifecycleWait wait;
    wait.hook = hook;
    wait.notice = notice;
    wait.notice.hook = hook.name;
    wait.notice.metadata = hook.metadata;
    wait.notice.target_arn = hook.notification_target_arn;
    wait.notice.token = fresh_uuid(random_);
    wait.global_end = now + hook.global_timeout();
    arm(wait);
    fact("hook.waiting", wait, {{"timeout", std::to_string(hook.heartbeat_timeout.count())}});
    transition.waits.push_back(std::move(wait));
  }
  for (const LifecycleWait& wait : transition.waits) events_.publish(wait.notice);
}

void LifecycleActions::arm(LifecycleWait& wait) {
  timeline_.cancel(wait.timer);
  wait.expires = std::min(timeline_.clock().now() + wait.hook.heartbeat_timeout, wait.global_end);
  wait.timer = timeline_.at(
      wait.expires, [this, id = wait.notice.instance_id, hook = wait.hook.name] { time_out(id, hook); });
}

LifecycleWait* LifecycleActions::find(const ActionKey& key) {
  for (auto& [id, transition] : transitions_) {
    if (!key.instance_id.empty() && id != key.instance_id) continue;
    for (LifecycleWait& wait : transition.waits) {
      const bool named = wait.notice.group == key.group && wait.hook.name == key.hook;
      const bool meant = key.token.empty() ? !key.instance_id.empty() : wait.notice.token == key.token;
      if (named && meant) return &wait;
    }
  }
  return nullptr;
}

namespace {

Error no_action(const ActionKey& key) {
  return Error(Fault::invalid, "ValidationError",
               key.token.empty()
                   ? "No active Lifecycle Action found with instance ID " + key.instance_id.str()
                   : "No active Lifecycle Action found with token " + key.token);
}

}  // namespace

Result<InstanceId> LifecycleActions::heartbeat(const ActionKey& key) {
  LifecycleWait* wait = find(key);
  if (wait == nullptr) return no_action(key);
  arm(*wait);
  return wait->notice.instance_id;
}

Result<InstanceId> LifecycleActions::complete(const ActionKey& key, const std::string& result) {
  const LifecycleWait* wait = find(key);
  if (wait == nullptr) return no_action(key);
  const InstanceId id = wait->notice.instance_id;
  fact("hook.completed", *wait, {{"result", result}, {"by", "call"}, {"caller", key.caller}});
  end(id, key.hook, result);
  return id;
}

void LifecycleActions::time_out(const InstanceId& id, const std::string& hook) {
  const auto& all = waits(id);
  const auto wait = std::find_if(all.begin(), all.end(), [&](const auto& w) { return w.hook.name == hook; });
  if (wait == all.end()) return;
  const std::string result = wait->hook.default_result;
  const char* cause = wait->expires >= wait->global_end ? "global timeout" : "heartbeat timeout";
  fact("hook.timed_out", *wait, {{"result", result}, {"cause", cause}});
  end(id, hook, result);
}

void LifecycleActions::end(const InstanceId& id, const std::string& hook, const std::string& result) {
  Transition& transition = transitions_.at(id);
  for (const LifecycleWait& wait : transition.waits) {
    const bool this_one = wait.hook.name == hook;
    // ABANDON ends the other hooks' actions too; CONTINUE lets them go on.
    if (!this_one && result == "ABANDON") fact("hook.dropped", wait, {{"cause", "abandoned by " + hook}});
    if (this_one || result == "ABANDON") timeline_.cancel(wait.timer);
  }
  std::erase_if(transition.waits, [&](const auto& w) { return w.hook.name == hook || result == "ABANDON"; });
  if (result == "ABANDON") transition.result = result;
  if (!transition.waits.empty()) return;
  const auto over = transitions_.extract(id);
  over.mapped().finished(id, over.mapped().result);
}

void LifecycleActions::drop(const InstanceId& id) {
  const auto over = transitions_.extract(id);
  if (over.empty()) return;
  for (const LifecycleWait& wait : over.mapped().waits) {
    timeline_.cancel(wait.timer);
    fact("hook.dropped", wait, {{"cause", "the instance went on without it"}});
  }
}

const std::vector<LifecycleWait>& LifecycleActions::waits(const InstanceId& id) const {
  static const std::vector<LifecycleWait> none;
  const auto found = transitions_.find(id);
  return found == transitions_.end() ? none : found->second.waits;
}

void LifecycleActions::fact(const char* what, const LifecycleWait& wait,
                            std::map<std::string, std::string> more) {
  more.emplace("instance", wait.notice.instance_id.str());
  more.emplace("group", wait.notice.group);
  more.emplace("hook", wait.hook.name);
  more.emplace("token", wait.notice.token);
  more.emplace("transition", wait.notice.transition);
  more.emplace("destination", wait.notice.destination);
  journal_.fact(what, wait.notice.instance_id.str(), std::move(more));
}

}  // namespace ferryman::sandbox
