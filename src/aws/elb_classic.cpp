// SPDX-License-Identifier: Apache-2.0
#include "aws/elb_classic.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "aws/pages.h"
#include "aws/query_answer.h"
#include "net/url.h"

namespace ferryman::aws {

namespace {

using termination::ClassicBalancer;
using termination::ClassicHealth;

constexpr long long longest_draining = 3600;

Result<ClassicBalancer> parse_balancer(const XmlElement& member) {
  const auto name = member.required("LoadBalancerName");
  if (!name) return name.error();
  ClassicBalancer balancer;
  balancer.name = *name;
  for (const XmlElement& instance : member.at("Instances").children("member")) {
    const auto id = instance.required("InstanceId");
    if (!id) return id.error();
    balancer.instances.emplace_back(*id);
  }
  return balancer;
}

Result<ClassicHealth> parse_state(const XmlElement& member) {
  const auto id = member.required("InstanceId");
  if (!id) return id.error();
  const auto state = member.required("State");
  if (!state) return state.error();
  ClassicHealth health;
  health.instance_id = InstanceId(*id);
  health.state = *state;
  health.description = member.text("Description");
  return health;
}

std::string form_of(const std::string& name, const std::vector<InstanceId>& instances) {
  net::QueryParameters parameters = {{"LoadBalancerName", name}};
  for (std::size_t i = 0; i < instances.size(); ++i) {
    parameters.emplace_back(fmt::format("Instances.member.{}.InstanceId", i + 1), instances[i].str());
  }
  return net::format_query(parameters);
}

}  // namespace

Result<ClassicBalancerPage> parse_classic_balancers(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeLoadBalancers");
  if (!answer) return answer.error();
  const auto result = answer->content();
  if (!result) return result.error();
  // Version 2 has an operation of the same name, whose answer holds LoadBalancers.
  const XmlElement list = result->at("LoadBalancerDescriptions");
  if (!list.exists()) return Error(Fault::unexpected, "the answer has no LoadBalancerDescriptions");
  ClassicBalancerPage page;
  page.next_token = result->text("NextMarker");
  auto members = read_members(list, parse_balancer);
  if (!members) return std::move(members).error();
  page.balancers = std::move(*members);
  return page;
}

Result<std::vector<ClassicHealth>> parse_classic_health(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeInstanceHealth");
  if (!answer) return answer.error();
  const auto result = answer->content();
  if (!result) return result.error();
  return read_members(result->at("InstanceStates"), parse_state);
}

Result<std::chrono::seconds> parse_connection_draining(std::string_view body) {
  const auto answer = QueryAnswer::parse(body, "DescribeLoadBalancerAttributes");
  if (!answer) return answer.error();
  const XmlElement attributes = answer->result().at("LoadBalancerAttributes");
  if (!attributes.exists()) return Error(Fault::unexpected, "the answer has no LoadBalancerAttributes");
  const XmlElement draining = attributes.at("ConnectionDraining");
  if (draining.text("Enabled") != "true") return std::chrono::seconds{0};
  const auto timeout = draining.required_number("Timeout");
  if (!timeout) return timeout.error();
  if (*timeout < 0 || *timeout > longest_draining)
    return Error(Fault::unexpected, fmt::format("the answer's ConnectionDraining lasts {} s", *timeout));
  return std::chrono::seconds{*timeout};
}

Task<Result<std::vector<ClassicBalancer>>> ElbClassic::describe_load_balancers(Deadline deadline) {
  Call call;
  call.operation = "DescribeLoadBalancers";
  call.body = fmt::format("PageSize={}", limits::elb_page);
  FERRYMAN_TRY(pages,
               co_await read_pages(client_, std::move(call), &parse_classic_balancers, deadline, "Marker"));
  std::vector<ClassicBalancer> all;
  for (auto& page : pages) std::ranges::move(page.balancers, std::back_inserter(all));
  co_return all;
}

Task<Result<std::vector<ClassicHealth>>> ElbClassic::describe_instance_health(
    std::string name, std::vector<InstanceId> instances, Deadline deadline) {
  Call call;
  call.operation = "DescribeInstanceHealth";
  call.body = form_of(name, instances);
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  auto health = parse_classic_health(body);
  if (!health) co_return client_.misread(call, health.error());
  co_return health;
}

Task<Result<std::chrono::seconds>> ElbClassic::connection_draining(std::string name, Deadline deadline) {
  Call call;
  call.operation = "DescribeLoadBalancerAttributes";
  call.body = form_of(name, {});
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  auto draining = parse_connection_draining(body);
  if (!draining) co_return client_.misread(call, draining.error());
  co_return draining;
}

Task<Result<void>> ElbClassic::deregister_instances(std::string name, std::vector<InstanceId> instances,
                                                    Deadline deadline) {
  co_return co_await change("DeregisterInstancesFromLoadBalancer", std::move(name), std::move(instances),
                            deadline);
}

Task<Result<void>> ElbClassic::register_instances(std::string name, std::vector<InstanceId> instances,
                                                  Deadline deadline) {
  co_return co_await change("RegisterInstancesWithLoadBalancer", std::move(name), std::move(instances),
                            deadline);
}

Task<Result<void>> ElbClassic::change(std::string operation, std::string name,
                                      std::vector<InstanceId> instances, Deadline deadline) {
  Call call;
  call.operation = std::move(operation);
  call.body = form_of(name, instances);
  call.lane = Lane::urgent;
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  const auto answer = QueryAnswer::parse(body, call.operation);
  if (!answer) co_return client_.misread(call, answer.error());
  co_return Result<void>();
}

}  // namespace ferryman::aws
