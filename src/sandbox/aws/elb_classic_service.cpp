// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/elb_classic_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sandbox/aws/elb_forms.h"
#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

constexpr std::size_t most_tagged = 20;  // balancers that one DescribeTags may name

Error validation_error(std::string text) {
  return Error(Fault::invalid, "ValidationError", std::move(text));
}

/// Those that are left, as a change answers; what drains has left.
void write_members(pugi::xml_node result, const ClassicBalancer& balancer) {
  pugi::xml_node list = result.append_child("Instances");
  for (const auto& [id, registration] : balancer.instances) {
    if (registration.state != TargetState::draining)
      add_text(list.append_child("member"), "InstanceId", id.str());
  }
}

}  // namespace

Result<void> ElbClassicService::answer(AwsCall& call, pugi::xml_node result) {
  using Operation = Result<void> (ElbClassicService::*)(AwsCall&, pugi::xml_node);
  static constexpr std::array<std::pair<std::string_view, Operation>, 6> operations{{
      {"DescribeLoadBalancers", &ElbClassicService::describe_balancers},
      {"DescribeInstanceHealth", &ElbClassicService::describe_health},
      {"DescribeLoadBalancerAttributes", &ElbClassicService::describe_attributes},
      {"DescribeTags", &ElbClassicService::describe_tags},
      {"DeregisterInstancesFromLoadBalancer", &ElbClassicService::deregister},
      {"RegisterInstancesWithLoadBalancer", &ElbClassicService::enroll},
  }};
  for (const auto& [name, operation] : operations) {
    if (name == call.operation) return (this->*operation)(call, result);
  }
  return Error(Fault::invalid, "InvalidAction",
               "Could not find operation " + call.operation + " for version 2012-06-01");
}

Result<ClassicBalancer*> ElbClassicService::balancer_named(const std::string& name) {
  ClassicBalancer* balancer = world_.classic_balancers().find(name);
  if (balancer == nullptr) {
    return Error(Fault::not_found, "LoadBalancerNotFound",
                 "There is no ACTIVE Load Balancer named '" + name + "'");
  }
  return balancer;
}

Result<ClassicBalancer*> ElbClassicService::balancer_of(AwsCall& call) {
  call.details["group"] = call.parameter("LoadBalancerName");
  return balancer_named(call.details["group"]);
}

Result<void> ElbClassicService::describe_balancers(AwsCall& call, pugi::xml_node result) {
  auto asked = read_elb_page(call);
  if (!asked) return std::move(asked).error();
  std::vector<std::string> names = call.list("LoadBalancerNames.member");
  for (const std::string& name : names) {
    if (auto known = balancer_named(name); !known) return std::move(known).error();
  }
  if (names.empty()) {
    for (const auto& [name, balancer] : world_.classic_balancers().all()) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  const Page page = page_of(names, *asked);
  pugi::xml_node list = result.append_child("LoadBalancerDescriptions");
  for (const std::string& name : page.keys) {
    write_classic_balancer(list.append_child("member"), *world_.classic_balancers().find(name),
                           world_.settings().region);
  }
  if (!page.next_token.empty()) add_text(result, "NextMarker", page.next_token);
  call.details["found"] = std::to_string(page.keys.size());
  return {};
}

Result<void> ElbClassicService::describe_health(AwsCall& call, pugi::xml_node result) {
  const auto ids = read_elb_instances(call);
  auto balancer = balancer_of(call);
  if (!balancer) return std::move(balancer).error();
  auto states = world_.classic_balancers().health(**balancer, ids);
  if (!states) return std::move(states).error();
  pugi::xml_node list = result.append_child("InstanceStates");
  for (const InstanceHealth& health : *states) write_instance_health(list.append_child("member"), health);
  return {};
}

Result<void> ElbClassicService::describe_attributes(AwsCall& call, pugi::xml_node result) {
  auto balancer = balancer_of(call);
  if (!balancer) return std::move(balancer).error();
  const ClassicBalancerSpec& spec = (*balancer)->spec;
  pugi::xml_node attributes = result.append_child("LoadBalancerAttributes");
  add_text(attributes.append_child("CrossZoneLoadBalancing"), "Enabled", "false");
  add_text(attributes.append_child("AccessLog"), "Enabled", "false");
  pugi::xml_node draining = attributes.append_child("ConnectionDraining");
  add_text(draining, "Enabled", spec.connection_draining ? "true" : "false");
  add_text(draining, "Timeout", spec.draining_timeout.count());
  add_text(attributes.append_child("ConnectionSettings"), "IdleTimeout", 60);
  return {};
}

Result<void> ElbClassicService::describe_tags(AwsCall& call, pugi::xml_node result) {
  const std::vector<std::string> names = call.list("LoadBalancerNames.member");
  if (names.empty() || names.size() > most_tagged)
    return validation_error(
        fmt::format("Between 1 and {} load balancer names must be specified", most_tagged));
  pugi::xml_node list = result.append_child("TagDescriptions");
  for (const std::string& name : names) {
    auto balancer = balancer_named(name);
    if (!balancer) return std::move(balancer).error();
    pugi::xml_node member = list.append_child("member");
    add_text(member, "LoadBalancerName", name);
    write_pairs(member.append_child("Tags"), (*balancer)->spec.tags);
  }
  return {};
}

Result<void> ElbClassicService::deregister(AwsCall& call, pugi::xml_node result) {
  const auto ids = read_elb_instances(call);
  auto balancer = balancer_of(call);
  if (!balancer) return std::move(balancer).error();
  if (ids.empty()) return validation_error("At least one instance must be specified");
  if (auto done = world_.classic_balancers().deregister_instances(**balancer, ids); !done) return done;
  write_members(result, **balancer);
  return {};
}

Result<void> ElbClassicService::enroll(AwsCall& call, pugi::xml_node result) {
  const auto ids = read_elb_instances(call);
  auto balancer = balancer_of(call);
  if (!balancer) return std::move(balancer).error();
  if (ids.empty()) return validation_error("At least one instance must be specified");
  if (auto done = world_.classic_balancers().register_instances(**balancer, ids); !done) return done;
  write_members(result, **balancer);
  return {};
}

}  // namespace ferryman::sandbox
