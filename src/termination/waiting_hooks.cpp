// SPDX-License-Identifier: Apache-2.0
#include "termination/waiting_hooks.h"

#include <algorithm>
#include <set>

#include "termination/aws_facts.h"
#include "termination/heartbeat.h"

namespace ferryman::termination {

namespace {

constexpr Duration longest_look = std::chrono::minutes{1};
constexpr std::string_view terminating = "autoscaling:EC2_INSTANCE_TERMINATING";

LifecycleAction action_of(const LifecycleHook& hook, const GroupMember& member) {
  LifecycleAction action;
  action.group = member.group;
  action.hook = hook.name;
  action.transition = hook.transition;
  action.instance_id = member.instance_id;
  return action;
}

Event event_of(const LifecycleHook& hook, const GroupMember& member, WallTime now) {
  Event event;
  event.kind = EventKind::asg_terminate;
  event.instance_id = member.instance_id;
  event.event_id = "waiting/" + member.instance_id.str() + "/" + hook.name + "/" + format_rfc3339(now);
  // Nobody kept it alive, so it began to wait a whole timeout ago at most.
  event.event_time = now - hook.heartbeat_timeout;
  event.action = action_of(hook, member);
  return event;
}

}  // namespace

Task<void> WaitingHooks::run() {
  constexpr Duration longest_period = std::chrono::seconds{60};
  constexpr Duration shortest_period = std::chrono::seconds{5};
  if (!context_.policy.look_for_waiting_hooks) co_return;
  for (;;) {
    while (!crew_.ports.cluster.in_sync() || crew_.pause.on() || !crew_.pause.looked()) {
      co_await crew_.ports.cluster.nodes_changed().wait_until(context_.clock.now() + std::chrono::seconds{1});
    }
    const auto looked = co_await look();
    if (looked) said_.clear();
    if (!looked) complain(looked.error());
    failures_ = looked || looked.error().fault == Fault::denied ? 0 : failures_ + 1;
    const Duration period = std::min(longest_period, crew_.catalog.shortest_timeout() / 3);
    Duration pause = context_.random.jittered(std::max(period, shortest_period), 0.1);
    if (failures_ > 0) pause = std::min(pause, patient_back_off(failures_, context_.random));
    co_await context_.clock.sleep_for(pause);
  }
}

/// EC2 knows the group by the tag that Auto Scaling sets. Asked once for each Node.
Task<Result<void>> WaitingHooks::learn_groups() {
  std::map<InstanceId, std::string> known = std::exchange(groups_, {});
  std::vector<InstanceId> unknown;
  crew_.ports.cluster.each_node([&](const Node& node) {
    if (node.instance_id.empty()) return;
    const auto found = known.find(node.instance_id);
    if (found == known.end()) unknown.push_back(node.instance_id);
    if (found != known.end()) groups_[node.instance_id] = found->second;
  });
  if (unknown.empty()) co_return Result<void>();
  FERRYMAN_TRY(seen, co_await crew_.ports.cloud.instances(std::move(unknown),
                                                          Deadline::after(context_.clock, longest_look)));
  for (const Instance& instance : seen) groups_[instance.instance_id] = group_in(instance.tags);
  co_return Result<void>();
}

/// Their timeouts say how often to look. A group that is gone has none.
Task<Result<void>> WaitingHooks::learn_hooks(std::vector<std::string> groups) {
  for (const std::string& group : groups) {
    if (crew_.catalog.knows(group)) continue;
    const auto hooks = co_await crew_.catalog.hooks(group, context_.call_deadline());
    if (!hooks && hooks.error().fault != Fault::not_found) co_return hooks.error();
  }
  co_return Result<void>();
}

/// A group that holds somebody may have got its hook since, or have lost it. An old answer serves too.
Task<void> WaitingHooks::refresh_hooks(std::vector<GroupMember> members) {
  std::set<std::string> groups;
  for (const GroupMember& member : members) {
    if (is_waiting(member.lifecycle_state)) groups.insert(member.group);
  }
  for (const std::string& group : groups) (void)co_await crew_.catalog.hooks(group, context_.call_deadline());
}

Task<Result<void>> WaitingHooks::look() {
  const auto learned = co_await learn_groups();
  if (!learned) co_return learned.error();
  std::set<std::string> named;
  for (const auto& [id, group] : groups_) {
    if (!group.empty()) named.insert(group);
  }
  if (named.empty()) co_return Result<void>();
  const std::vector<std::string> groups(named.begin(), named.end());
  auto known = co_await learn_hooks(groups);
  FERRYMAN_TRY(members,
               co_await crew_.ports.cloud.members_of(groups, Deadline::after(context_.clock, longest_look)));
  co_await refresh_hooks(members);
  Waits waits;
  for (const GroupMember& member : members) {
    if (is_waiting(member.lifecycle_state)) note(member, waits);
  }
  waits_ = std::move(waits);
  co_return known;
}

/// Its message has had from one look to the next to arrive.
void WaitingHooks::note(const GroupMember& member, Waits& waits) {
  for (const LifecycleHook& hook : hooks_that_hold(member)) {
    const Key key(member.instance_id, hook.name);
    const auto before = waits_.find(key);
    if (before == waits_.end()) {
      waits[key].action = action_of(hook, member);
      waits[key].event = event_of(hook, member, context_.clock.wall());
      continue;
    }
    Wait& wait = waits[key] = before->second;
    const bool left = crew_.ownership.known(wait.event, 0) == Owner::another_system;
    if (!wait.told && !left && !registry_.knows(wait.action)) tell(wait);
  }
}

void WaitingHooks::tell(Wait& wait) {
  wait.told = true;
  context_.log.warn(
      "hook.unheeded",
      {{"instance", wait.event.instance_id},
       {"group", wait.action.group},
       {"hook", wait.action.hook},
       {"effect", "no message told that it waits; it is treated as if one had"},
       {"cure", "see whether the hook's EventBridge rule or notification target leads to our queue"}});
  context_.metrics.hooks_unheeded.add();
  tell_(wait.event);
}

std::vector<LifecycleHook> WaitingHooks::hooks_that_hold(const GroupMember& member) const {
  std::vector<LifecycleHook> holding;
  if (member.lifecycle_state.find("Terminating") == std::string::npos) return holding;
  for (const LifecycleHook& hook : crew_.catalog.of(member.group)) {
    if (hook.transition == terminating && is_ours(member.group, hook.name)) holding.push_back(hook);
  }
  return holding;
}

bool WaitingHooks::is_ours(const std::string& group, const std::string& hook) const {
  const std::vector<std::string>& named = context_.policy.hooks;
  const bool any = std::ranges::find(named, "*") != named.end();
  return is_our_hook(context_.policy, hook) && (!any || crew_.catalog.heard(group, hook));
}

void WaitingHooks::complain(const Error& error) {
  if (said_ == error.text) return;
  said_ = error.text;
  const bool denied = error.fault == Fault::denied;
  context_.log.warn(
      "hooks.not_looked_for",
      {{"error", error},
       {"effect", "a lifecycle hook whose event is lost waits out its timeout"},
       {"cure", denied ? "allow autoscaling:DescribeAutoScalingGroups and ec2:DescribeInstances in our "
                         "IAM policy, or switch --look-for-waiting-hooks off"
                       : "asked again soon"}});
}

}  // namespace ferryman::termination
