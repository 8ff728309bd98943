// SPDX-License-Identifier: Apache-2.0
#include "aws/ec2.h"

#include <fmt/format.h>

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
  std::vector<termination::Instance> all;
  std::string next_token;
  for (int page_number = 0; page_number < limits::pages; ++page_number) {
    Call call;
    call.operation = "DescribeInstances";
    call.body = net::format_query(parameters);
    if (!next_token.empty()) call.body += "&NextToken=" + net::percent_encode(next_token);
    FERRYMAN_TRY(body, co_await client_.send(call, deadline));
    auto page = parse_instances(body);
    if (!page) co_return client_.misread(call, page.error());
    for (termination::Instance& instance : page->instances) all.push_back(std::move(instance));
    next_token = std::move(page->next_token);
    if (next_token.empty()) co_return all;
  }
  co_return Error(Fault::unexpected, "calling ec2 DescribeInstances: the pages do not end");
}

}  // namespace ferryman::aws
