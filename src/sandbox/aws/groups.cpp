// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view launching = "autoscaling:EC2_INSTANCE_LAUNCHING";
constexpr std::string_view terminating = "autoscaling:EC2_INSTANCE_TERMINATING";
constexpr const char* in_group = "AutoScalingGroup";
constexpr const char* in_warm_pool = "WarmPool";
constexpr const char* in_ec2 = "EC2";

/// Neither ending nor in reserve.
bool serves(const std::string& state) {
  return !state.starts_with("Terminating") && !state.starts_with("Warmed");
}

std::int64_t serving(const Group& group) {
  return std::count_if(group.members.begin(), group.members.end(),
                       [](const auto& member) { return serves(member.second); });
}

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
  group.spec.desired = std::max(group.spec.desired, static_cast<int>(serving(group)));
  settled_ = spec.running;
  const InstanceId id = instances_.launch(spec);
  settled_ = false;
  return id;
}

bool Groups::wait(const InstanceId& id, std::string_view transition, LifecycleNotice ends,
                  LifecycleActions::Finished finished) {
  const Group& group = *group_of(id);
  std::vector<GroupHook> hooks;
  for (const auto& [name, hook] : group.hooks) {
    if (hook.transition == transition) hooks.push_back(hook);
  }
  if (hooks.empty()) return false;
  ends.group = group.spec.name;
  ends.group_arn = group.arn;
  ends.transition = transition;
  ends.instance_id = id;
  actions_.start(ends, hooks, std::move(finished));
  return true;
}

void Groups::instance_running(const Ec2Instance& instance) {
  Group* group = group_of(instance.id);
  if (group == nullptr || group->members[instance.id] != "Pending") return;
  if (settled_) {
    group->members[instance.id] = "InService";
  } else {
    begin_service(instance.id, instance.starts > 1 ? in_warm_pool : in_ec2);
  }
}

void Groups::begin_service(const InstanceId& id, const std::string& origin) {
  LifecycleNotice ends;
  ends.origin = origin;
  ends.destination = in_group;
  std::string& state = group_of(id)->members[id];
  state = "Pending:Wait";
  const bool waits = wait(id, launching, ends, [this](const InstanceId& done, const std::string& result) {
    enter_service(done, result);
  });
  if (!waits) state = "InService";
}

/// ABANDON ends an instance that was to serve.
void Groups::enter_service(const InstanceId& id, const std::string& result) {
  Group* group = group_of(id);
  if (group == nullptr) return;
  if (result == "ABANDON") {
    group->members[id] = "Terminating:Proceed";
    instances_.shut_down(id);
    return;
  }
  group->members[id] = "Pending:Proceed";
  timeline_.after(settings_.lifecycle_delay, [this, id] {
    Group* its = group_of(id);
    if (its != nullptr && its->members[id] == "Pending:Proceed") its->members[id] = "InService";
  });
}

void Groups::instance_terminated(const Ec2Instance& instance) {
  if (group_of(instance.id) == nullptr) return;
  if (settings_.gone_noticed == Duration{0}) return forget(instance.id);
  timeline_.after(settings_.gone_noticed, [this, id = instance.id] { forget(id); });
}

void Groups::forget(const InstanceId& id) {
  Group* group = group_of(id);
  if (group == nullptr) return;
  actions_.drop(id);
  group->members.erase(id);
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
  if (decrement) {
    if (auto possible = check_decrement(*group); !possible) return std::move(possible).error();
    --group->spec.desired;
  }
  const char* destination = decrement && group->warm_pool ? in_warm_pool : in_ec2;
  actions_.drop(id);
  group->members[id] = "Terminating";
  timeline_.after(settings_.lifecycle_delay, [this, id, destination] { end_service(id, destination); });
  replace_missing(group->spec.name);
  return activity;
}

Result<void> Groups::check_decrement(const Group& group) {
  if (group.spec.desired > group.spec.min) return {};
  return refused(
      fmt::format("Currently, desiredSize equals minSize ({}). Terminating instance without replacement "
                  "will violate group's "
                  "min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower "
                  "group's min size.",
                  group.spec.min));
}

void Groups::end_service(const InstanceId& id, const std::string& destination) {
  Group* group = group_of(id);
  if (group == nullptr) return;  // ended by other means in the meantime
  LifecycleNotice ends;
  ends.origin = in_group;
  ends.destination = destination;
  group->members[id] = "Terminating:Wait";
  // CONTINUE and ABANDON alike let a terminating instance go.
  const auto finished = [this, destination](const InstanceId& done, const std::string& /*result*/) {
    proceed(done, destination);
  };
  if (!wait(id, terminating, ends, finished)) proceed(id, destination);
}

void Groups::proceed(const InstanceId& id, const std::string& destination) {
  Group* group = group_of(id);
  if (group == nullptr) return;
  group->members[id] = "Terminating:Proceed";
  timeline_.after(settings_.lifecycle_delay, [this, id, destination] {
    if (destination == in_warm_pool) {
      enter_warm_pool(id);
    } else {
      instances_.shut_down(id);
    }
  });
}

// Assumed: an instance that comes back to the pool waits for no launch hook there. Those that are launched
// into a pool (Warmed:Pending:Wait) are not played.
void Groups::enter_warm_pool(const InstanceId& id) {
  Group* group = group_of(id);
  if (group == nullptr) return;
  group->members[id] = "Warmed:Pending";
  if (group->warm_pool && group->warm_pool->running) {
    group->members[id] = "Warmed:Running";
  } else {
    instances_.stop(id);
  }
}

void Groups::instance_stopped(const Ec2Instance& instance) {
  Group* group = group_of(instance.id);
  if (group == nullptr) return;
  std::string& state = group->members[instance.id];
  if (state == "Warmed:Pending") state = "Warmed:Stopped";
}

bool Groups::take_from_warm_pool(const InstanceId& id) {
  Group* group = group_of(id);
  if (group == nullptr) return false;
  std::string& state = group->members[id];
  if (state != "Warmed:Stopped" && state != "Warmed:Running") return false;
  const bool runs = state == "Warmed:Running";
  ++group->spec.desired;
  state = "Pending";
  if (runs) {
    begin_service(id, in_warm_pool);
  } else {
    instances_.start(id);
  }
  return true;
}

void Groups::replace_missing(const std::string& name) {
  const std::optional<Duration>& delay = settings_.replacement_delay;
  if (!delay) return;
  timeline_.after(*delay, [this, name] {
    Group& group = groups_.at(name);
    for (auto n = serving(group); n < group.spec.desired; ++n) launch(group, LaunchSpec());
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
