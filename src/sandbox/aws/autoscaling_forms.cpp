// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/autoscaling_forms.h"

#include <fmt/format.h>

#include <charconv>

#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

template <class Number>
std::optional<Number> whole(const std::string& text) {
  Number number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

Error out_of_form(std::string_view value, std::string_view name, std::string_view constraint) {
  return validation_error(
      fmt::format("1 validation error detected: Value '{}' at '{}' failed to satisfy constraint: {}", value,
                  name, constraint));
}

}  // namespace

Error validation_error(std::string text) {
  return Error(Fault::invalid, "ValidationError", std::move(text));
}

Result<PageRequest> read_records_page(const AwsCall& call, std::size_t usual, std::size_t most) {
  PageRequest page;
  page.size = usual;
  if (call.has("MaxRecords")) {
    const auto size = whole<std::size_t>(call.parameter("MaxRecords"));
    if (!size || *size < 1 || *size > most) {
      return out_of_form(call.parameter("MaxRecords"), "maxRecords",
                         fmt::format("Member must be between 1 and {}", most));
    }
    page.size = *size;
  }
  if (!call.has("NextToken")) return page;
  auto after = key_in_token(call.parameter("NextToken"), "InvalidNextToken");
  if (!after) return std::move(after).error();
  page.after = *after;
  return page;
}

Result<ActionKey> read_action_key(AwsCall& call) {
  ActionKey key;
  key.group = call.parameter("AutoScalingGroupName");
  key.hook = call.parameter("LifecycleHookName");
  key.token = call.parameter("LifecycleActionToken");
  key.instance_id = InstanceId(call.parameter("InstanceId"));
  key.caller = call.caller_arn;
  call.subject = key.instance_id.str();
  call.details["group"] = key.group;
  call.details["hook"] = key.hook;
  if (!key.token.empty()) call.details["token"] = key.token;
  if (key.group.empty()) return out_of_form("null", "autoScalingGroupName", "Member must not be null");
  if (key.hook.empty()) return out_of_form("null", "lifecycleHookName", "Member must not be null");
  if (!key.token.empty() && key.token.size() != 36) {
    return out_of_form(key.token, "lifecycleActionToken", "Member must have length equal to 36");
  }
  return key;
}

Result<GroupHook> read_hook(const AwsCall& call, GroupHook hook) {
  const bool fresh = hook.name.empty();
  hook.name = call.parameter("LifecycleHookName");
  if (hook.name.empty()) return out_of_form("null", "lifecycleHookName", "Member must not be null");
  if (fresh && !call.has("LifecycleTransition")) {
    return validation_error("LifecycleTransition is a required parameter.");
  }
  if (call.has("LifecycleTransition")) hook.transition = call.parameter("LifecycleTransition");
  const bool known = hook.transition == "autoscaling:EC2_INSTANCE_TERMINATING" ||
                     hook.transition == "autoscaling:EC2_INSTANCE_LAUNCHING";
  if (!known) return validation_error("Lifecycle Transition " + hook.transition + " is invalid.");
  if (call.has("HeartbeatTimeout")) {
    const auto timeout = whole<int>(call.parameter("HeartbeatTimeout"));
    if (!timeout || *timeout < 30 || *timeout > 7200) {
      return validation_error("Heartbeat Timeout must be between 30 and 7200 seconds.");
    }
    hook.heartbeat_timeout = std::chrono::seconds{*timeout};
  }
  if (call.has("DefaultResult")) hook.default_result = call.parameter("DefaultResult");
  if (hook.default_result != "CONTINUE" && hook.default_result != "ABANDON") {
    return validation_error("Lifecycle Hook Default Result " + hook.default_result + " is invalid.");
  }
  if (call.has("NotificationMetadata")) hook.metadata = call.parameter("NotificationMetadata");
  if (call.has("NotificationTargetARN"))
    hook.notification_target_arn = call.parameter("NotificationTargetARN");
  if (call.has("RoleARN")) hook.role_arn = call.parameter("RoleARN");
  return hook;
}

Result<bool> read_flag(const AwsCall& call, const std::string& name) {
  const std::string text = call.parameter(name);
  if (text == "true") return true;
  if (text == "false") return false;
  if (text.empty()) return out_of_form("null", name, "Member must not be null");
  return Error(Fault::invalid, "MalformedInput", "Invalid value for " + name + ": it must be true or false");
}

void write_group_tag(pugi::xml_node member, const std::string& group, const std::string& key,
                     const std::string& value) {
  add_text(member, "ResourceId", group);
  add_text(member, "ResourceType", "auto-scaling-group");
  add_text(member, "Key", key);
  add_text(member, "Value", value);
  add_text(member, "PropagateAtLaunch", "true");
}

void write_group_instance(pugi::xml_node member, const std::string& id, const std::string& state,
                          const std::string& zone) {
  add_text(member, "InstanceId", id);
  add_text(member, "InstanceType", "m6i.large");
  add_text(member, "AvailabilityZone", zone);
  add_text(member, "LifecycleState", state);
  add_text(member, "HealthStatus", "Healthy");
  add_text(member, "ProtectedFromScaleIn", "false");
}

void write_group(pugi::xml_node member, const Group& group, const Instances& instances) {
  add_text(member, "AutoScalingGroupName", group.spec.name);
  add_text(member, "AutoScalingGroupARN", group.arn);
  add_text(member, "MinSize", group.spec.min);
  add_text(member, "MaxSize", group.spec.max);
  add_text(member, "DesiredCapacity", group.spec.desired);
  add_text(member, "DefaultCooldown", 300);
  pugi::xml_node zones = member.append_child("AvailabilityZones");
  for (const std::string& zone : group.spec.zones) add_text(zones, "member", zone);
  add_text(member, "HealthCheckType", "EC2");
  add_text(member, "HealthCheckGracePeriod", 0);
  pugi::xml_node list = member.append_child("Instances");
  int warm = 0;
  for (const auto& [id, state] : group.members) {
    // DescribeWarmPool has those in reserve.
    if (state.starts_with("Warmed:")) ++warm;
    if (state.starts_with("Warmed:")) continue;
    const Ec2Instance* instance = instances.find(id);
    const std::string zone = instance == nullptr ? "" : instance->zone;
    write_group_instance(list.append_child("member"), id.str(), state, zone);
  }
  if (group.warm_pool) {
    pugi::xml_node pool = member.append_child("WarmPoolConfiguration");
    add_text(pool, "PoolState", group.warm_pool->running ? "Running" : "Stopped");
    add_text(pool.append_child("InstanceReusePolicy"), "ReuseOnScaleIn", "true");
    add_text(member, "WarmPoolSize", warm);
  }
  add_text(member, "CreatedTime", format_rfc3339_millis(group.created));
  pugi::xml_node tags = member.append_child("Tags");
  for (const auto& [key, value] : group.spec.tags)
    write_group_tag(tags.append_child("member"), group.spec.name, key, value);
}

void write_hook(pugi::xml_node member, const GroupHook& hook, const std::string& group) {
  add_text(member, "LifecycleHookName", hook.name);
  add_text(member, "AutoScalingGroupName", group);
  add_text(member, "LifecycleTransition", hook.transition);
  if (!hook.notification_target_arn.empty())
    add_text(member, "NotificationTargetARN", hook.notification_target_arn);
  if (!hook.role_arn.empty()) add_text(member, "RoleARN", hook.role_arn);
  if (!hook.metadata.empty()) add_text(member, "NotificationMetadata", hook.metadata);
  add_text(member, "HeartbeatTimeout", hook.heartbeat_timeout.count());
  add_text(member, "GlobalTimeout", hook.global_timeout().count());
  add_text(member, "DefaultResult", hook.default_result);
}

void write_activity(pugi::xml_node activity, const ScalingActivity& what) {
  add_text(activity, "ActivityId", what.id);
  add_text(activity, "AutoScalingGroupName", what.group);
  add_text(activity, "Description", what.description);
  add_text(activity, "Cause", what.cause);
  add_text(activity, "StartTime", format_rfc3339_millis(what.started));
  add_text(activity, "StatusCode", "InProgress");
  add_text(activity, "Progress", 0);
}

}  // namespace ferryman::sandbox
