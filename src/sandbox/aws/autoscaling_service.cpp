// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/autoscaling_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sandbox/aws/autoscaling_forms.h"
#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

constexpr std::size_t most_instances = 50;

/// Error when `ids` is longer than a call may name.
Result<std::vector<std::string>> ids_of(const AwsCall& call) {
  std::vector<std::string> ids = call.list("InstanceIds.member");
  if (ids.size() > most_instances) {
    return validation_error(
        fmt::format("The number of instance ids that may be passed in is limited to {}", most_instances));
  }
  return ids;
}

bool filtered(const AwsCall& call, const std::string& name, const std::string& value) {
  for (std::size_t n = 1;; ++n) {
    const std::string prefix = fmt::format("Filters.member.{}", n);
    if (!call.has(prefix + ".Name")) return false;
    if (call.parameter(prefix + ".Name") != name) continue;
    const auto values = call.list(prefix + ".Values.member");
    if (std::find(values.begin(), values.end(), value) == values.end()) return true;
  }
}

}  // namespace

Result<void> AutoScalingService::answer(AwsCall& call, pugi::xml_node result) {
  using Operation = Result<void> (AutoScalingService::*)(AwsCall&, pugi::xml_node);
  static constexpr std::array<std::pair<std::string_view, Operation>, 8> operations{{
      {"DescribeAutoScalingGroups", &AutoScalingService::describe_groups},
      {"DescribeAutoScalingInstances", &AutoScalingService::describe_instances},
      {"DescribeLifecycleHooks", &AutoScalingService::describe_hooks},
      {"DescribeTags", &AutoScalingService::describe_tags},
      {"PutLifecycleHook", &AutoScalingService::put_hook},
      {"RecordLifecycleActionHeartbeat", &AutoScalingService::heartbeat},
      {"CompleteLifecycleAction", &AutoScalingService::complete},
      {"TerminateInstanceInAutoScalingGroup", &AutoScalingService::terminate},
  }};
  for (const auto& [name, operation] : operations) {
    if (name == call.operation) return (this->*operation)(call, result);
  }
  return Error(Fault::invalid, "InvalidAction",
               "Could not find operation " + call.operation + " for version 2011-01-01");
}

Result<Group*> AutoScalingService::group_named(const AwsCall& call) {
  const std::string name = call.parameter("AutoScalingGroupName");
  Group* group = world_.groups().find(name);
  if (group == nullptr) {
    return validation_error("AutoScalingGroup name not found - AutoScalingGroup '" + name + "' not found");
  }
  return group;
}

Result<void> AutoScalingService::describe_groups(AwsCall& call, pugi::xml_node result) {
  auto asked = read_records_page(call, 50, 100);
  if (!asked) return std::move(asked).error();
  const auto named = call.list("AutoScalingGroupNames.member");
  std::vector<std::string> names;
  for (const auto& [name, group] : world_.groups().all()) {
    if (named.empty() || std::find(named.begin(), named.end(), name) != named.end()) names.push_back(name);
  }
  const Page page = page_of(names, *asked);
  pugi::xml_node list = result.append_child("AutoScalingGroups");
  for (const std::string& name : page.keys) {
    write_group(list.append_child("member"), *world_.groups().find(name), world_.instances());
  }
  if (!page.next_token.empty()) add_text(result, "NextToken", page.next_token);
  return {};
}

Result<void> AutoScalingService::describe_instances(AwsCall& call, pugi::xml_node result) {
  auto asked = read_records_page(call, most_instances, most_instances);
  if (!asked) return std::move(asked).error();
  auto named = ids_of(call);
  if (!named) return std::move(named).error();
  std::vector<std::string> ids;
  for (const auto& [name, group] : world_.groups().all()) {
    for (const auto& [id, state] : group.members) {
      if (named->empty() || std::find(named->begin(), named->end(), id.str()) != named->end())
        ids.push_back(id.str());
    }
  }
  std::sort(ids.begin(), ids.end());
  const Page page = page_of(ids, *asked);
  pugi::xml_node list = result.append_child("AutoScalingInstances");
  for (const std::string& id : page.keys) {
    const Group* group = world_.groups().group_of(InstanceId(id));
    const Ec2Instance* instance = world_.instances().find(InstanceId(id));
    pugi::xml_node member = list.append_child("member");
    add_text(member, "AutoScalingGroupName", group->spec.name);
    write_group_instance(member, id, group->members.at(InstanceId(id)),
                         instance == nullptr ? "" : instance->zone);
  }
  if (!page.next_token.empty()) add_text(result, "NextToken", page.next_token);
  if (named->size() == 1) call.subject = named->front();
  call.details["found"] = std::to_string(page.keys.size());
  return {};
}

Result<void> AutoScalingService::describe_hooks(AwsCall& call, pugi::xml_node result) {
  auto group = group_named(call);
  if (!group) return std::move(group).error();
  call.details["group"] = (*group)->spec.name;
  const auto named = call.list("LifecycleHookNames.member");
  pugi::xml_node list = result.append_child("LifecycleHooks");
  for (const auto& [name, hook] : (*group)->hooks) {
    const bool wanted = named.empty() || std::find(named.begin(), named.end(), name) != named.end();
    if (wanted) write_hook(list.append_child("member"), hook, (*group)->spec.name);
  }
  return {};
}

Result<void> AutoScalingService::describe_tags(AwsCall& call, pugi::xml_node result) {
  auto asked = read_records_page(call, 50, 100);
  if (!asked) return std::move(asked).error();
  std::vector<std::string> keys;  // "group\x1ftag"
  for (const auto& [name, group] : world_.groups().all()) {
    if (filtered(call, "auto-scaling-group", name)) continue;
    for (const auto& [key, value] : group.spec.tags) {
      if (!filtered(call, "key", key) && !filtered(call, "value", value)) keys.push_back(name + '\x1f' + key);
    }
  }
  const Page page = page_of(keys, *asked);
  pugi::xml_node list = result.append_child("Tags");
  for (const std::string& both : page.keys) {
    const std::string name = both.substr(0, both.find('\x1f'));
    const std::string key = both.substr(name.size() + 1);
    write_group_tag(list.append_child("member"), name, key, world_.groups().find(name)->spec.tags.at(key));
  }
  if (!page.next_token.empty()) add_text(result, "NextToken", page.next_token);
  return {};
}

/// AWS takes a target only when a test message reaches it. An empty one means none any more.
Result<void> AutoScalingService::test_target(const Group& group, const GroupHook& hook) {
  if (hook.notification_target_arn.empty()) return {};
  LifecycleNotice notice;
  notice.group = group.spec.name;
  notice.group_arn = group.arn;
  notice.target_arn = hook.notification_target_arn;
  if (!hook.role_arn.empty() && world_.events().test(notice)) return {};
  return validation_error(
      fmt::format("Unable to publish test message to notification target {} using IAM role {}. Please check "
                  "your target and role configuration and try to put lifecycle hook again.",
                  hook.notification_target_arn, hook.role_arn));
}

Result<void> AutoScalingService::put_hook(AwsCall& call, pugi::xml_node /*result*/) {
  auto group = group_named(call);
  if (!group) return std::move(group).error();
  const auto existing = (*group)->hooks.find(call.parameter("LifecycleHookName"));
  auto hook = read_hook(call, existing == (*group)->hooks.end() ? GroupHook() : existing->second);
  if (!hook) return std::move(hook).error();
  call.details["group"] = (*group)->spec.name;
  call.details["hook"] = hook->name;
  if (call.has("NotificationTargetARN")) {
    if (auto told = test_target(**group, *hook); !told) return told;
  }
  (*group)->hooks[hook->name] = *hook;
  return {};
}

Result<void> AutoScalingService::heartbeat(AwsCall& call, pugi::xml_node /*result*/) {
  auto key = read_action_key(call);
  if (!key) return std::move(key).error();
  auto instance = world_.groups().heartbeat(*key);
  if (!instance) return std::move(instance).error();
  call.subject = instance->str();
  return {};
}

Result<void> AutoScalingService::complete(AwsCall& call, pugi::xml_node /*result*/) {
  auto key = read_action_key(call);
  if (!key) return std::move(key).error();
  const std::string outcome = call.parameter("LifecycleActionResult");
  call.details["result"] = outcome;
  if (outcome != "CONTINUE" && outcome != "ABANDON") {
    return validation_error("Lifecycle Action Result '" + outcome +
                            "' is invalid: it must be CONTINUE or ABANDON");
  }
  auto instance = world_.groups().complete(*key, outcome);
  if (!instance) return std::move(instance).error();
  call.subject = instance->str();
  return {};
}

Result<void> AutoScalingService::terminate(AwsCall& call, pugi::xml_node result) {
  call.subject = call.parameter("InstanceId");
  auto decrement = read_flag(call, "ShouldDecrementDesiredCapacity");
  if (!decrement) return std::move(decrement).error();
  call.details["decrement"] = *decrement ? "true" : "false";
  auto activity = world_.groups().terminate_in_group(InstanceId(call.subject), *decrement);
  if (!activity) return std::move(activity).error();
  write_activity(result.append_child("Activity"), *activity);
  return {};
}

}  // namespace ferryman::sandbox
