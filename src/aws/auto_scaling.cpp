// SPDX-License-Identifier: Apache-2.0
#include "aws/auto_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "aws/pages.h"
#include "aws/query_answer.h"
#include "aws/xml.h"

namespace ferryman::aws {

namespace {

using termination::CompletionResult;
using termination::GroupMember;
using termination::GroupTags;
using termination::LifecycleAction;
using termination::LifecycleHook;

Result<LifecycleHook> parse_hook(const XmlElement& member) {
  const auto name = member.required("LifecycleHookName");
  if (!name) return name.error();
  const auto transition = member.required("LifecycleTransition");
  if (!transition) return transition.error();
  const auto heartbeat = member.required_number("HeartbeatTimeout");
  if (!heartbeat) return heartbeat.error();
  LifecycleHook hook;
  hook.name = *name;
  hook.transition = *transition;
  hook.group = member.text("AutoScalingGroupName");
  hook.default_result = member.text("DefaultResult");
  hook.heartbeat_timeout = std::chrono::seconds{*heartbeat};
  // Some emulators leave it out; AWS documents how it follows from the heartbeat timeout.
  constexpr std::chrono::seconds longest{172'800};
  const auto global = member.required_number("GlobalTimeout");
  hook.global_timeout =
      global ? std::chrono::seconds{*global} : std::min(100 * hook.heartbeat_timeout, longest);
  return hook;
}

Result<GroupMember> parse_member_of(const XmlElement& item, std::string group) {
  const auto id = item.required("InstanceId");
  if (!id) return id.error();
  const auto state = item.required("LifecycleState");
  if (!state) return state.error();
  GroupMember member;
  member.instance_id = InstanceId(*id);
  member.group = std::move(group);
  member.lifecycle_state = *state;
  return member;
}

Result<GroupMember> parse_member(const XmlElement& item) {
  const auto group = item.required("AutoScalingGroupName");
  if (!group) return group.error();
  return parse_member_of(item, *group);
}

Result<std::vector<GroupMember>> parse_group(const XmlElement& item) {
  const auto group = item.required("AutoScalingGroupName");
  if (!group) return group.error();
  std::vector<GroupMember> members;
  for (const XmlElement& one : item.at("Instances").children("member")) {
    auto member = parse_member_of(one, *group);
    if (!member) return member.error();
    members.push_back(std::move(*member));
  }
  return members;
}

Result<GroupTagPage::Row> parse_tag(const XmlElement& member) {
  const auto group = member.required("ResourceId");
  if (!group) return group.error();
  const auto key = member.required("Key");
  if (!key) return key.error();
  GroupTagPage::Row row;
  row.group = *group;
  row.key = *key;
  row.value = member.text("Value");
  return row;
}

net::QueryParameters parameters_of(const LifecycleAction& action) {
  net::QueryParameters parameters = {{"AutoScalingGroupName", action.group},
                                     {"LifecycleHookName", action.hook},
                                     {"InstanceId", action.instance_id.str()}};
  if (!action.token.empty()) parameters.emplace_back("LifecycleActionToken", action.token);
  return parameters;
}

/// An answer without content: it only has to be the right one.
Result<void> check(std::string_view body, const std::string& operation) {
  const auto document = XmlDocument::parse(body);
  if (!document) return document.error();
  const auto root = document->root(operation + "Response");
  return root ? Result<void>() : Result<void>(root.error());
}

Task<Result<void>> act(ServiceClient& client, Call call, Deadline deadline) {
  call.lane = call.operation == "RecordLifecycleActionHeartbeat" ? Lane::vital : Lane::urgent;
  FERRYMAN_TRY(body, co_await client.send(call, deadline));
  auto checked = check(body, call.operation);
  if (!checked) co_return client.misread(call, checked.error());
  co_return checked;
}

}  // namespace

Result<std::vector<LifecycleHook>> parse_lifecycle_hooks(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeLifecycleHooks");
  if (!answer) return answer.error();
  const auto result = answer->content();
  if (!result) return result.error();
  return read_members(result->at("LifecycleHooks"), parse_hook);
}

Result<MemberPage> parse_members(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeAutoScalingInstances");
  if (!answer) return answer.error();
  const auto result = answer->content();
  if (!result) return result.error();
  MemberPage page;
  page.next_token = result->text("NextToken");
  auto members = read_members(result->at("AutoScalingInstances"), parse_member);
  if (!members) return std::move(members).error();
  page.members = std::move(*members);
  return page;
}

Result<MemberPage> parse_groups(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeAutoScalingGroups");
  if (!answer) return answer.error();
  const auto result = answer->content();
  if (!result) return result.error();
  MemberPage page;
  page.next_token = result->text("NextToken");
  auto groups = read_members(result->at("AutoScalingGroups"), parse_group);
  if (!groups) return std::move(groups).error();
  for (std::vector<GroupMember>& members : *groups)
    std::ranges::move(members, std::back_inserter(page.members));
  return page;
}

Result<GroupTagPage> parse_group_tags(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeTags");
  if (!answer) return answer.error();
  const auto result = answer->content();
  if (!result) return result.error();
  GroupTagPage page;
  page.next_token = result->text("NextToken");
  auto rows = read_members(result->at("Tags"), parse_tag);
  if (!rows) return std::move(rows).error();
  page.rows = std::move(*rows);
  return page;
}

Task<Result<std::vector<LifecycleHook>>> AutoScaling::describe_lifecycle_hooks(std::string group,
                                                                               Deadline deadline) {
  Call call;
  call.operation = "DescribeLifecycleHooks";
  call.body = "AutoScalingGroupName=" + net::percent_encode(group);
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  auto hooks = parse_lifecycle_hooks(body);
  if (!hooks) co_return client_.misread(call, hooks.error());
  co_return hooks;
}

Task<Result<void>> AutoScaling::record_lifecycle_action_heartbeat(LifecycleAction action, Deadline deadline) {
  Call call;
  call.operation = "RecordLifecycleActionHeartbeat";
  call.body = net::format_query(parameters_of(action));
  co_return co_await act(client_, std::move(call), deadline);
}

Task<Result<void>> AutoScaling::complete_lifecycle_action(LifecycleAction action, CompletionResult result,
                                                          Deadline deadline) {
  net::QueryParameters parameters = parameters_of(action);
  parameters.emplace_back("LifecycleActionResult",
                          result == CompletionResult::proceed ? "CONTINUE" : "ABANDON");
  Call call;
  call.operation = "CompleteLifecycleAction";
  call.body = net::format_query(parameters);
  co_return co_await act(client_, std::move(call), deadline);
}

namespace {

std::vector<GroupMember> all_members(std::vector<MemberPage> pages) {
  std::vector<GroupMember> all;
  for (MemberPage& page : pages) std::ranges::move(page.members, std::back_inserter(all));
  return all;
}

Call call_for(std::string operation, const net::QueryParameters& parameters) {
  Call call;
  call.operation = std::move(operation);
  call.body = net::format_query(parameters);
  return call;
}

}  // namespace

Task<Result<std::vector<GroupMember>>> AutoScaling::describe_auto_scaling_instances(
    std::vector<InstanceId> ids, Deadline deadline) {
  net::QueryParameters parameters;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    parameters.emplace_back(fmt::format("InstanceIds.member.{}", i + 1), ids[i].str());
  }
  parameters.emplace_back("MaxRecords", std::to_string(limits::auto_scaling_instances));
  Call call = call_for("DescribeAutoScalingInstances", parameters);
  FERRYMAN_TRY(pages, co_await read_pages(client_, std::move(call), &parse_members, deadline));
  co_return all_members(std::move(pages));
}

Task<Result<std::vector<GroupMember>>> AutoScaling::describe_auto_scaling_groups(
    std::vector<std::string> groups, Deadline deadline) {
  net::QueryParameters parameters;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    parameters.emplace_back(fmt::format("AutoScalingGroupNames.member.{}", i + 1), groups[i]);
  }
  parameters.emplace_back("MaxRecords", std::to_string(limits::auto_scaling_groups_page));
  Call call = call_for("DescribeAutoScalingGroups", parameters);
  FERRYMAN_TRY(pages, co_await read_pages(client_, std::move(call), &parse_groups, deadline));
  co_return all_members(std::move(pages));
}

Task<Result<std::vector<GroupTags>>> AutoScaling::describe_tags(std::vector<std::string> groups,
                                                                Deadline deadline) {
  net::QueryParameters parameters = {{"Filters.member.1.Name", "auto-scaling-group"}};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    parameters.emplace_back(fmt::format("Filters.member.1.Values.member.{}", i + 1), groups[i]);
  }
  parameters.emplace_back("MaxRecords", std::to_string(limits::auto_scaling_tags));
  Call call = call_for("DescribeTags", parameters);
  FERRYMAN_TRY(pages, co_await read_pages(client_, std::move(call), &parse_group_tags, deadline));
  std::map<std::string, GroupTags> by_group;
  for (GroupTagPage& page : pages) {
    for (GroupTagPage::Row& row : page.rows) {
      GroupTags& tags = by_group[row.group];
      tags.group = row.group;
      tags.tags.emplace_back(std::move(row.key), std::move(row.value));
    }
  }
  std::vector<GroupTags> all;
  for (auto& [group, tags] : by_group) all.push_back(std::move(tags));
  co_return all;
}

}  // namespace ferryman::aws
