// SPDX-License-Identifier: Apache-2.0
#include "aws/elb2.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "aws/pages.h"
#include "aws/query_answer.h"
#include "net/url.h"

namespace ferryman::aws {

namespace {

using termination::BalancerType;
using termination::Target;
using termination::TargetGroup;
using termination::TargetHealth;

constexpr std::string_view delay_key = "deregistration_delay.timeout_seconds";
constexpr long long longest_delay = 3600;
constexpr long long highest_port = 65'535;

BalancerType type_of(std::string_view protocol) {
  if (protocol.empty()) return BalancerType::unknown;  // a function's group
  if (protocol == "HTTP" || protocol == "HTTPS") return BalancerType::application;
  return protocol == "GENEVE" ? BalancerType::gateway : BalancerType::network;
}

Result<TargetGroup> parse_group(const XmlElement& member) {
  const auto arn = member.required("TargetGroupArn");
  if (!arn) return arn.error();
  TargetGroup group;
  group.arn = *arn;
  group.name = member.text("TargetGroupName");
  group.target_type = member.text("TargetType");
  group.protocol = member.text("Protocol");
  group.type = type_of(group.protocol);
  group.vpc = member.text("VpcId");
  return group;
}

struct TaggedGroup {
  std::string arn;
  termination::TargetGroupTags tags;
};

Result<TaggedGroup> parse_tagged(const XmlElement& member) {
  const auto arn = member.required("ResourceArn");
  if (!arn) return arn.error();
  TaggedGroup group;
  group.arn = *arn;
  for (const XmlElement& tag : member.at("Tags").children("member")) {
    const auto key = tag.required("Key");
    if (!key) return key.error();
    group.tags[*key] = tag.text("Value");
  }
  return group;
}

Result<TargetHealth> parse_health(const XmlElement& member) {
  const auto id = member.required("Target/Id");
  if (!id) return id.error();
  const auto state = member.required("TargetHealth/State");
  if (!state) return state.error();
  TargetHealth health;
  health.state = *state;
  health.reason = member.text("TargetHealth/Reason");
  health.target.instance_id = InstanceId(*id);
  // A function has no port.
  if (!member.at("Target/Port").exists()) return health;
  const auto port = member.required_number("Target/Port");
  if (!port) return port.error();
  if (*port < 0 || *port > highest_port)
    return Error(Fault::unexpected, fmt::format("the answer's <member> has the port {}", *port));
  health.target.port = static_cast<std::uint16_t>(*port);
  return health;
}

net::QueryParameters parameters_of(const std::string& group_arn, const std::vector<Target>& targets) {
  net::QueryParameters parameters = {{"TargetGroupArn", group_arn}};
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::string prefix = fmt::format("Targets.member.{}.", i + 1);
    parameters.emplace_back(prefix + "Id", targets[i].instance_id.str());
    parameters.emplace_back(prefix + "Port", std::to_string(targets[i].port));
  }
  return parameters;
}

}  // namespace

Result<TargetGroupPage> parse_target_groups(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeTargetGroups");
  if (!answer) return answer.error();
  const auto result = answer->content();
  if (!result) return result.error();
  TargetGroupPage page;
  page.next_token = result->text("NextMarker");
  auto members = read_members(result->at("TargetGroups"), parse_group);
  if (!members) return std::move(members).error();
  page.groups = std::move(*members);
  return page;
}

Result<std::map<std::string, termination::TargetGroupTags>> parse_target_group_tags(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeTags");
  if (!answer) return answer.error();
  const auto result = answer->content();
  if (!result) return result.error();
  auto members = read_members(result->at("TagDescriptions"), parse_tagged);
  if (!members) return std::move(members).error();
  std::map<std::string, termination::TargetGroupTags> tags;
  for (TaggedGroup& group : *members) tags[group.arn] = std::move(group.tags);
  return tags;
}

Result<std::vector<TargetHealth>> parse_target_health(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeTargetHealth");
  if (!answer) return answer.error();
  const auto result = answer->content();
  if (!result) return result.error();
  return read_members(result->at("TargetHealthDescriptions"), parse_health);
}

Result<std::chrono::seconds> parse_deregistration_delay(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeTargetGroupAttributes");
  if (!answer) return answer.error();
  for (const XmlElement& member : answer->result().at("Attributes").children("member")) {
    if (member.text("Key") != delay_key) continue;
    const auto delay = member.required_number("Value");
    if (!delay) return delay.error();
    if (*delay < 0 || *delay > longest_delay)
      return Error(Fault::unexpected, fmt::format("the answer's {} is {}", delay_key, *delay));
    return std::chrono::seconds{*delay};
  }
  return Error(Fault::unexpected, fmt::format("the answer has no {}", delay_key));
}

Task<Result<std::vector<TargetGroup>>> Elb2::describe_target_groups(Deadline deadline) {
  Call call;
  call.operation = "DescribeTargetGroups";
  call.body = fmt::format("PageSize={}", limits::elb_page);
  FERRYMAN_TRY(pages,
               co_await read_pages(client_, std::move(call), &parse_target_groups, deadline, "Marker"));
  std::vector<TargetGroup> all;
  for (auto& page : pages) std::ranges::move(page.groups, std::back_inserter(all));
  co_return all;
}

Task<Result<std::map<std::string, termination::TargetGroupTags>>> Elb2::describe_tags(
    std::vector<std::string> group_arns, Deadline deadline) {
  net::QueryParameters parameters;
  for (std::size_t i = 0; i < group_arns.size(); ++i)
    parameters.emplace_back(fmt::format("ResourceArns.member.{}", i + 1), group_arns[i]);
  Call call;
  call.operation = "DescribeTags";
  call.body = net::format_query(parameters);
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  auto tags = parse_target_group_tags(body);
  if (!tags) co_return client_.misread(call, tags.error());
  co_return tags;
}

Task<Result<std::vector<TargetHealth>>> Elb2::describe_target_health(std::string group_arn,
                                                                     std::vector<Target> targets,
                                                                     Deadline deadline) {
  Call call;
  call.operation = "DescribeTargetHealth";
  call.body = net::format_query(parameters_of(group_arn, targets));
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  auto health = parse_target_health(body);
  if (!health) co_return client_.misread(call, health.error());
  co_return health;
}

Task<Result<std::chrono::seconds>> Elb2::deregistration_delay(std::string group_arn, Deadline deadline) {
  Call call;
  call.operation = "DescribeTargetGroupAttributes";
  call.body = net::format_query({{"TargetGroupArn", group_arn}});
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  auto delay = parse_deregistration_delay(body);
  if (!delay) co_return client_.misread(call, delay.error());
  co_return delay;
}

Task<Result<void>> Elb2::deregister_targets(std::string group_arn, std::vector<Target> targets,
                                            Deadline deadline) {
  co_return co_await change("DeregisterTargets", std::move(group_arn), std::move(targets), deadline);
}

Task<Result<void>> Elb2::register_targets(std::string group_arn, std::vector<Target> targets,
                                          Deadline deadline) {
  co_return co_await change("RegisterTargets", std::move(group_arn), std::move(targets), deadline);
}

Task<Result<void>> Elb2::change(std::string operation, std::string group_arn, std::vector<Target> targets,
                                Deadline deadline) {
  Call call;
  call.operation = std::move(operation);
  call.body = net::format_query(parameters_of(group_arn, targets));
  call.lane = Lane::urgent;
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  const auto answer = QueryAnswer::parse(body, call.operation);
  if (!answer) co_return client_.misread(call, answer.error());
  co_return Result<void>();
}

}  // namespace ferryman::aws
