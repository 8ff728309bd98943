// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view terminating = "autoscaling:EC2_INSTANCE_TERMINATING";

Error refused(std::string text) {
  return Error(Fault::invalid, "ValidationError", std::move(text));
}

}  // namespace

Groups::Groups(Instances& instances, LifecycleActions& actions, Timeline& timeline, Random& random,
               const AwsSettings& settings)
    : instances_(instances), actions_(actions), timeline_(timeline), random_(random), settings_(settings) {
  instances_.observe(*this);
}

Group& Groups::create(const GroupSpec& spec) {
  const auto [place, fresh] = groups_.try_emplace(spec.name);
  Group& group = place->second;
  if (!fresh) return group;
  group.spec = spec;
  if (group.spec.zones.empty()) {
    for (const char letter : {'a', 'b', 'c'}) group.spec.zones.push_back(settings_.region + letter);
  }
  group.arn = fmt::format("arn:aws:autoscaling:{}:{}:autoScalingGroup:{}:autoScalingGroupName/{}",
                          settings_.region, settings_.account, fresh_uuid(random_), spec.name);
  group.created = timeline_.clock().wall();
  return group;
}

InstanceId Groups::launch(Group& group, LaunchSpec spec) {
  if (spec.zone.empty()) spec.zone = group.spec.zones[group.members.size() % group.spec.zones.size()];
  if (spec.id.empty()) spec.id = fresh_instance_id(random_);
  spec.tags.insert(group.spec.tags.begin(), group.spec.tags.end());
  spec.tags["aws:autoscaling:groupName"] = group.spec.name;
  group.members[spec.id] = "Pending";
  const auto serving =
      static_cast<int>(std::count_if(group.members.begin(), group.members.end(),
                                     [](auto& m) { return !m.second.starts_with("Terminating"); }));
  group.spec.desired = std::max(group.spec.desired, serving);
  return instances_.launch(spec);
}

void Groups::instance_running(const Ec2Instance& instance) {
  Group* group = group_of(instance.id);
  // Launch hooks (Pending:Wait) come with the launch events.
  if (group != nullptr && group->members[instance.id] == "Pending") group->members[instance.id] = "InService";
}

void Groups::instance_terminated(const Ec2Instance& instance) {
  Group* group = group_of(instance.id);
  if (group == nullptr) return;
  actions_.drop(instance.id);
  group->members.erase(instance.id);
  replace_missing(group->spec.name);
}

Result<ScalingActivity> Groups::terminate_in_group(const InstanceId& id, bool decrement) {
  Group* group = group_of(id);
  if (group == nullptr) {
    return refused("Instance Id not found - No managed instance found for instance ID: " + id.str());
  }
  ScalingActivity activity;
  activity.id = fresh_uuid(random_);
  activity.group = group->spec.name;
  activity.description = "Terminating EC2 instance: " + id.str();
  activity.started = timeline_.clock().wall();
  const std::string at = format_rfc3339(activity.started);
  activity.cause =
      fmt::format("At {} instance {} was taken out of service in response to a user request.", at, id.str());
  if (group->members[id].starts_with("Terminating")) return activity;
  if (decrement && group->spec.desired <= group->spec.min) {
    return refused(
        fmt::format("Currently, desiredSize equals minSize ({}). Terminating instance without replacement "
                    "will violate group's "
                    "min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower "
                    "group's min size.",
                    group->spec.min));
  }
  if (decrement) --group->spec.desired;
  group->members[id] = "Terminating";
  timeline_.after(settings_.lifecycle_delay, [this, id] { wait_for_hooks(id); });
  replace_missing(group->spec.name);
  return activity;
}

void Groups::wait_for_hooks(const InstanceId& id) {
  Group* group = group_of(id);
  if (group == nullptr) return;  // ended by other means in the meantime
  std::vector<GroupHook> hooks;
  for (const auto& [name, hook] : group->hooks) {
    if (hook.transition == terminating) hooks.push_back(hook);
  }
  if (hooks.empty()) return proceed(id);
  group->members[id] = "Terminating:Wait";
  LifecycleNotice notice;
  notice.group = group->spec.name;
  notice.group_arn = group->arn;
  notice.transition = terminating;
  notice.instance_id = id;
  // CONTINUE and ABANDON alike let a terminating instance go.
  actions_.start(notice, hooks,
                 [this](const InstanceId& done, const std::string& /*result*/) { proceed(done); });
}

void Groups::proceed(const InstanceId& id) {
  Group* group = group_of(id);
  if (group == nullptr) return;
  group->members[id] = "Terminating:Proceed";
  timeline_.after(settings_.lifecycle_delay, [this, id] { instances_.shut_down(id); });
}

void Groups::replace_missing(const std::string& name) {
  const std::optional<Duration>& delay = settings_.replacement_delay;
  if (!delay) return;
  timeline_.after(*delay, [this, name] {
    Group& group = groups_.at(name);
    const auto serving = std::count_if(group.members.begin(), group.members.end(), [](const auto& member) {
      return !member.second.starts_with("Terminating");
    });
    for (auto n = serving; n < group.spec.desired; ++n) launch(group, LaunchSpec());
  });
}

Result<void> Groups::check(const ActionKey& key) {
  const Group* group = find(key.group);
  if (group == nullptr)
    return refused("AutoScalingGroup name not found - AutoScalingGroup '" + key.group + "' not found");
  if (!group->hooks.contains(key.hook)) return refused("No Lifecycle Hook found with name " + key.hook);
  if (key.token.empty() && key.instance_id.empty()) {
    return refused("Either LifecycleActionToken or InstanceId must be provided");
  }
  return {};
}

Result<InstanceId> Groups::heartbeat(const ActionKey& key) {
  if (auto checked = check(key); !checked) return std::move(checked).error();
  return actions_.heartbeat(key);
}

Result<InstanceId> Groups::complete(const ActionKey& key, const std::string& result) {
  if (auto checked = check(key); !checked) return std::move(checked).error();
  return actions_.complete(key, result);
}

Group* Groups::find(std::string_view name) {
  const auto found = groups_.find(name);
  return found == groups_.end() ? nullptr : &found->second;
}

Group* Groups::group_of(const InstanceId& id) {
  for (auto& [name, group] : groups_) {
    if (group.members.contains(id)) return &group;
  }
  return nullptr;
}

}  // namespace ferryman::sandbox
