// SPDX-License-Identifier: Apache-2.0
#include "aws/ec2.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "aws/pages.h"
#include "aws/xml.h"
#include "net/url.h"

namespace ferryman::aws {

namespace {

Result<termination::Instance> parse_instance(const XmlElement& item) {
  const auto id = item.required("instanceId");
  if (!id) return id.error();
  auto state = item.required("instanceState/name");
  if (!state) return std::move(state).error();
  termination::Instance instance;
  instance.instance_id = InstanceId(*id);
  instance.state = *state;
  instance.private_dns_name = item.text("privateDnsName");
  for (const XmlElement& tag : item.at("tagSet").children("item")) {
    instance.tags.emplace_back(tag.text("key"), tag.text("value"));
  }
  return instance;
}

/// Old events have no instanceEventId; what they are and when they begin tells them apart as well.
Result<termination::InstancePlan> parse_plan(const std::string& instance_id, const XmlElement& item) {
  const auto code = item.required("code");
  if (!code) return code.error();
  const auto starts = parse_rfc3339(item.text("notBefore"));
  if (!starts) return Error(Fault::unexpected, "an event of " + instance_id + " lacks its notBefore");
  termination::InstancePlan plan;
  plan.instance_id = InstanceId(instance_id);
  plan.code = *code;
  plan.id = item.text("instanceEventId");
  if (plan.id.empty()) plan.id = fmt::format("{}/{}/{}", instance_id, plan.code, item.text("notBefore"));
  plan.description = item.text("description");
  plan.starts = *starts;
  plan.ends = parse_rfc3339(item.text("notAfter"));
  return plan;
}

Result<void> read_plans(const XmlElement& status, std::vector<termination::InstancePlan>& plans) {
  const auto id = status.required("instanceId");
  if (!id) return id.error();
  for (const XmlElement& item : status.at("eventsSet").children("item")) {
    auto plan = parse_plan(*id, item);
    if (!plan) return std::move(plan).error();
    plans.push_back(std::move(*plan));
  }
  return {};
}

}  // namespace

Result<InstancePage> parse_instances(std::string_view body) {
  const auto document = XmlDocument::parse(body);
  if (!document) return document.error();
  const auto root = document->root("DescribeInstancesResponse");
  if (!root) return root.error();
  const XmlElement reservations = root->at("reservationSet");
  if (!reservations.exists()) return Error(Fault::unexpected, "the answer has no reservationSet");
  InstancePage page;
  page.next_token = root->text("nextToken");
  for (const XmlElement& reservation : reservations.children("item")) {
    for (const XmlElement& item : reservation.at("instancesSet").children("item")) {
      auto instance = parse_instance(item);
      if (!instance) return std::move(instance).error();
      page.instances.push_back(std::move(*instance));
    }
  }
  return page;
}

Task<Result<std::vector<termination::Instance>>> Ec2::describe_instances(std::vector<InstanceId> ids,
                                                                         Deadline deadline) {
  net::QueryParameters parameters = {{"Filter.1.Name", "instance-id"}};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    parameters.emplace_back(fmt::format("Filter.1.Value.{}", i + 1), ids[i].str());
  }
  parameters.emplace_back("MaxResults", std::to_string(limits::ec2_page));
  Call call;
  call.operation = "DescribeInstances";
  call.body = net::format_query(parameters);
  FERRYMAN_TRY(pages, co_await read_pages(client_, std::move(call), &parse_instances, deadline));
  std::vector<termination::Instance> all;
  for (auto& page : pages) std::ranges::move(page.instances, std::back_inserter(all));
  co_return all;
}

Result<PlanPage> parse_instance_plans(std::string_view body) {
  const auto document = XmlDocument::parse(body);
  if (!document) return document.error();
  const auto root = document->root("DescribeInstanceStatusResponse");
  if (!root) return root.error();
  const XmlElement statuses = root->at("instanceStatusSet");
  if (!statuses.exists()) return Error(Fault::unexpected, "the answer has no instanceStatusSet");
  PlanPage page;
  page.next_token = root->text("nextToken");
  for (const XmlElement& status : statuses.children("item")) {
    const auto read = read_plans(status, page.plans);
    if (!read) return read.error();
  }
  return page;
}

Task<Result<std::vector<termination::InstancePlan>>> Ec2::describe_instance_status(
    std::vector<InstanceId> ids, Deadline deadline) {
  net::QueryParameters parameters;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    parameters.emplace_back(fmt::format("InstanceId.{}", i + 1), ids[i].str());
  }
  Call call;
  call.operation = "DescribeInstanceStatus";
  call.body = net::format_query(parameters);
  FERRYMAN_TRY(pages, co_await read_pages(client_, std::move(call), &parse_instance_plans, deadline));
  std::vector<termination::InstancePlan> all;
  for (PlanPage& page : pages) std::ranges::move(page.plans, std::back_inserter(all));
  co_return all;
}

}  // namespace ferryman::aws
