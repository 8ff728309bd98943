// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/elb2_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sandbox/aws/elb_forms.h"
#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

constexpr std::size_t most_tagged = 20;  // resources that one DescribeTags may name

Error validation_error(std::string text) {
  return Error(Fault::invalid, "ValidationError", std::move(text));
}

Error no_group() {
  return Error(Fault::not_found, "TargetGroupNotFound", "One or more target groups not found");
}

Error no_balancer() {
  return Error(Fault::not_found, "LoadBalancerNotFound", "One or more load balancers not found");
}

bool holds(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool names(const std::string& arn, std::string_view kind) {
  return arn.starts_with("arn:") && arn.find(kind) != std::string::npos;
}

}  // namespace

Result<void> Elb2Service::answer(AwsCall& call, pugi::xml_node result) {
  using Operation = Result<void> (Elb2Service::*)(AwsCall&, pugi::xml_node);
  static constexpr std::array<std::pair<std::string_view, Operation>, 7> operations{{
      {"DescribeTargetGroups", &Elb2Service::describe_groups},
      {"DescribeTargetHealth", &Elb2Service::describe_health},
      {"DescribeTargetGroupAttributes", &Elb2Service::describe_attributes},
      {"DescribeLoadBalancers", &Elb2Service::describe_balancers},
      {"DescribeTags", &Elb2Service::describe_tags},
      {"DeregisterTargets", &Elb2Service::deregister},
      {"RegisterTargets", &Elb2Service::enroll},
  }};
  for (const auto& [name, operation] : operations) {
    if (name == call.operation) return (this->*operation)(call, result);
  }
  return Error(Fault::invalid, "InvalidAction",
               "Could not find operation " + call.operation + " for version 2015-12-01");
}

Result<TargetGroup*> Elb2Service::group_of(AwsCall& call) {
  const std::string arn = call.parameter("TargetGroupArn");
  call.details["group"] = arn;
  if (!names(arn, ":targetgroup/")) return validation_error("'" + arn + "' is not a valid target group ARN");
  TargetGroup* group = world_.target_groups().find(arn);
  if (group == nullptr) return no_group();
  return group;
}

/// The ARNs of the groups that are meant, in order.
Result<std::vector<std::string>> Elb2Service::groups_asked(const AwsCall& call) {
  const std::vector<std::string> by_arn = call.list("TargetGroupArns.member");
  const std::vector<std::string> by_name = call.list("Names.member");
  const std::string balancer = call.parameter("LoadBalancerArn");
  if (!balancer.empty() && world_.load_balancers().find(balancer) == nullptr) return no_balancer();
  std::vector<std::string> arns;
  std::size_t found = 0;
  for (const auto& [arn, group] : world_.target_groups().all()) {
    const bool named = holds(by_arn, arn) || holds(by_name, group.spec.name);
    found += named ? 1 : 0;
    if ((!by_arn.empty() || !by_name.empty()) && !named) continue;
    if (balancer.empty() || group.spec.load_balancer == balancer) arns.push_back(arn);
  }
  if (found < by_arn.size() + by_name.size()) return no_group();
  return arns;
}

Result<void> Elb2Service::describe_groups(AwsCall& call, pugi::xml_node result) {
  auto asked = read_elb_page(call);
  if (!asked) return std::move(asked).error();
  auto arns = groups_asked(call);
  if (!arns) return std::move(arns).error();
  const Page page = page_of(*arns, *asked);
  pugi::xml_node list = result.append_child("TargetGroups");
  for (const std::string& arn : page.keys)
    write_target_group(list.append_child("member"), *world_.target_groups().find(arn));
  if (!page.next_token.empty()) add_text(result, "NextMarker", page.next_token);
  call.details["found"] = std::to_string(page.keys.size());
  return {};
}

Result<void> Elb2Service::describe_health(AwsCall& call, pugi::xml_node result) {
  auto targets = read_targets(call);
  if (!targets) return std::move(targets).error();
  auto group = group_of(call);
  if (!group) return std::move(group).error();
  auto health = world_.target_groups().health(**group, *targets);
  if (!health) return std::move(health).error();
  pugi::xml_node list = result.append_child("TargetHealthDescriptions");
  for (const TargetStatus& status : *health) write_target_status(list.append_child("member"), status);
  return {};
}

Result<void> Elb2Service::describe_attributes(AwsCall& call, pugi::xml_node result) {
  auto group = group_of(call);
  if (!group) return std::move(group).error();
  write_pairs(
      result.append_child("Attributes"),
      {{"deregistration_delay.timeout_seconds", std::to_string((*group)->spec.deregistration_delay.count())},
       {"load_balancing.cross_zone.enabled", "use_load_balancer_configuration"},
       {"stickiness.enabled", "false"}});
  return {};
}

Result<std::vector<std::string>> Elb2Service::balancers_asked(const AwsCall& call) {
  const std::vector<std::string> by_arn = call.list("LoadBalancerArns.member");
  const std::vector<std::string> by_name = call.list("Names.member");
  std::vector<std::string> arns;
  for (const auto& [arn, balancer] : world_.load_balancers().all()) {
    const bool all = by_arn.empty() && by_name.empty();
    if (all || holds(by_arn, arn) || holds(by_name, balancer.name)) arns.push_back(arn);
  }
  if (arns.size() < by_arn.size() + by_name.size()) return no_balancer();
  return arns;
}

Result<void> Elb2Service::describe_balancers(AwsCall& call, pugi::xml_node result) {
  auto asked = read_elb_page(call);
  if (!asked) return std::move(asked).error();
  auto arns = balancers_asked(call);
  if (!arns) return std::move(arns).error();
  const Page page = page_of(*arns, *asked);
  pugi::xml_node list = result.append_child("LoadBalancers");
  for (const std::string& arn : page.keys) {
    write_load_balancer(list.append_child("member"), *world_.load_balancers().find(arn),
                        world_.settings().region);
  }
  if (!page.next_token.empty()) add_text(result, "NextMarker", page.next_token);
  return {};
}

Result<void> Elb2Service::describe_tags(AwsCall& call, pugi::xml_node result) {
  const std::vector<std::string> arns = call.list("ResourceArns.member");
  if (arns.empty()) return validation_error("At least one resource ARN must be specified");
  if (arns.size() > most_tagged)
    return validation_error(fmt::format("A maximum of {} resources can be specified", most_tagged));
  pugi::xml_node list = result.append_child("TagDescriptions");
  for (const std::string& arn : arns) {
    const TargetGroup* group = world_.target_groups().find(arn);
    const LoadBalancer* balancer = world_.load_balancers().find(arn);
    if (group == nullptr && balancer == nullptr)
      return names(arn, ":loadbalancer/") ? no_balancer() : no_group();
    pugi::xml_node member = list.append_child("member");
    add_text(member, "ResourceArn", arn);
    write_pairs(member.append_child("Tags"), group == nullptr ? balancer->tags : group->spec.tags);
  }
  return {};
}

Result<void> Elb2Service::deregister(AwsCall& call, pugi::xml_node /*result*/) {
  auto targets = read_targets(call);
  if (!targets) return std::move(targets).error();
  auto group = group_of(call);
  if (!group) return std::move(group).error();
  if (targets->empty()) return validation_error("At least one target must be specified");
  return world_.target_groups().deregister_targets(**group, *targets);
}

Result<void> Elb2Service::enroll(AwsCall& call, pugi::xml_node /*result*/) {
  auto targets = read_targets(call);
  if (!targets) return std::move(targets).error();
  auto group = group_of(call);
  if (!group) return std::move(group).error();
  if (targets->empty()) return validation_error("At least one target must be specified");
  return world_.target_groups().register_targets(**group, *targets);
}

}  // namespace ferryman::sandbox
