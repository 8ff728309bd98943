// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/ec2_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/glob.h"
#include "sandbox/aws/paging.h"
#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

constexpr std::size_t most_filter_values = 200;

class Filter {
 public:
  std::string name;
  std::vector<std::string> values;
};

/// What an instance has under a filter's name; empty when the name is unknown.
std::optional<std::vector<std::string>> values_of(const Ec2Instance& instance, const std::string& name) {
  if (name == "instance-id") return std::vector{instance.id.str()};
  if (name == "private-dns-name") return std::vector{instance.private_dns_name};
  if (name == "private-ip-address") return std::vector{instance.private_ip};
  if (name == "availability-zone") return std::vector{instance.zone};
  if (name == "instance-state-name") return std::vector{std::string(name_of(instance.state))};
  std::vector<std::string> values;
  if (name == "tag-key") {
    for (const auto& [key, value] : instance.tags) values.push_back(key);
    return values;
  }
  if (!name.starts_with("tag:")) return std::nullopt;
  const auto tag = instance.tags.find(name.substr(4));
  if (tag != instance.tags.end()) values.push_back(tag->second);
  return values;
}

bool passes(const Ec2Instance& instance, const std::vector<Filter>& filters) {
  return std::all_of(filters.begin(), filters.end(), [&](const Filter& filter) {
    const auto values = values_of(instance, filter.name);
    return std::any_of(values->begin(), values->end(), [&](const std::string& value) {
      return std::any_of(filter.values.begin(), filter.values.end(),
                         [&](const std::string& pattern) { return matches_glob(pattern, value); });
    });
  });
}

Result<std::vector<Filter>> read_filters(const AwsCall& call) {
  std::vector<Filter> filters;
  std::size_t values = 0;
  for (;;) {
    const std::string prefix = fmt::format("Filter.{}", filters.size() + 1);
    if (!call.has(prefix + ".Name")) break;
    Filter filter{call.parameter(prefix + ".Name"), call.list(prefix + ".Value")};
    if (!values_of(Ec2Instance(), filter.name)) {
      return Error(Fault::invalid, "InvalidParameterValue", "The filter '" + filter.name + "' is invalid");
    }
    values += filter.values.size();
    filters.push_back(std::move(filter));
  }
  if (values > most_filter_values) {
    return Error(Fault::invalid, "FilterLimitExceeded",
                 "The maximum number of filter values specified on a single call is 200");
  }
  return filters;
}

Result<PageRequest> read_page(const AwsCall& call) {
  PageRequest page;
  if (call.has("MaxResults")) {
    const std::string text = call.parameter("MaxResults");
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), page.size);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || page.size < 5 ||
        page.size > 1000) {
      return Error(Fault::invalid, "InvalidParameterValue",
                   "Value ( " + text +
                       " ) for parameter maxResults is invalid. Expecting a value between 5 and 1000.");
    }
    if (call.has("InstanceId.1")) {
      return Error(Fault::invalid, "InvalidParameterCombination",
                   "The parameter instancesSet cannot be used with the parameter maxResults");
    }
  }
  if (!call.has("NextToken")) return page;
  auto after = key_in_token(call.parameter("NextToken"), "InvalidNextToken");
  if (!after) return std::move(after).error();
  page.after = *after;
  return page;
}

void write_state(pugi::xml_node node, InstanceState state) {
  add_text(node, "code", code_of(state));
  add_text(node, "name", std::string(name_of(state)));
}

/// Each instance is a reservation of its own: clients must look into all of them.
void write_instance(pugi::xml_node list, const Ec2Instance& instance, const AwsSettings& settings) {
  pugi::xml_node reservation = list.append_child("item");
  add_text(reservation, "reservationId", "r-" + instance.id.str().substr(2));
  add_text(reservation, "ownerId", settings.account);
  reservation.append_child("groupSet");
  pugi::xml_node item = reservation.append_child("instancesSet").append_child("item");
  add_text(item, "instanceId", instance.id.str());
  add_text(item, "imageId", "ami-0123456789abcdef0");
  write_state(item.append_child("instanceState"), instance.state);
  add_text(item, "privateDnsName", instance.private_dns_name);
  add_text(item, "dnsName", std::string());
  add_text(item, "instanceType", "m6i.large");
  add_text(item, "launchTime", format_rfc3339_millis(instance.launched));
  add_text(item.append_child("placement"), "availabilityZone", instance.zone);
  if (!instance.private_ip.empty()) add_text(item, "privateIpAddress", instance.private_ip);
  if (instance.tags.empty()) return;
  pugi::xml_node tags = item.append_child("tagSet");
  for (const auto& [key, value] : instance.tags) {
    pugi::xml_node tag = tags.append_child("item");
    add_text(tag, "key", key);
    add_text(tag, "value", value);
  }
}

}  // namespace

Result<void> Ec2Service::answer(AwsCall& call, pugi::xml_node result) {
  if (call.operation == "DescribeInstances") return describe_instances(call, result);
  if (call.operation == "TerminateInstances") return terminate_instances(call, result);
  return Error(Fault::invalid, "InvalidAction",
               "The action " + call.operation + " is not valid for this web service.");
}

Result<std::vector<std::string>> Ec2Service::instances_asked(const AwsCall& call) {
  std::vector<std::string> ids = call.list("InstanceId");
  std::string unknown;
  for (const std::string& id : ids) {
    if (!parse_instance_id(id)) {
      return Error(Fault::invalid, "InvalidInstanceID.Malformed", "Invalid id: \"" + id + "\"");
    }
    if (world_.instances().find(InstanceId(id)) == nullptr) unknown += (unknown.empty() ? "" : ", ") + id;
  }
  // One unknown id fails the whole call.
  if (!unknown.empty()) {
    const bool several = unknown.find(',') != std::string::npos;
    return Error(Fault::not_found, "InvalidInstanceID.NotFound",
                 fmt::format("The instance ID{0} '{1}' do{2} not exist", several ? "s" : "", unknown,
                             several ? "" : "es"));
  }
  if (ids.empty()) {
    for (const auto& [id, instance] : world_.instances().all()) ids.push_back(id.str());
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// Behind the back of its group, which learns of it when the instance is gone: no hook waits.
Result<void> Ec2Service::terminate_instances(AwsCall& call, pugi::xml_node result) {
  if (!call.has("InstanceId.1")) {
    return Error(Fault::invalid, "MissingParameter", "The request must contain the parameter InstanceId");
  }
  auto ids = instances_asked(call);
  if (!ids) return std::move(ids).error();
  if (ids->size() == 1) call.subject = ids->front();
  pugi::xml_node list = result.append_child("instancesSet");
  for (const std::string& text : *ids) {
    const InstanceId id(text);
    const InstanceState before = world_.instances().find(id)->state;
    world_.instances().shut_down(id);
    pugi::xml_node item = list.append_child("item");
    add_text(item, "instanceId", text);
    write_state(item.append_child("currentState"), world_.instances().find(id)->state);
    write_state(item.append_child("previousState"), before);
  }
  return {};
}

Result<void> Ec2Service::describe_instances(AwsCall& call, pugi::xml_node result) {
  auto filters = read_filters(call);
  if (!filters) return std::move(filters).error();
  auto page_asked = read_page(call);
  if (!page_asked) return std::move(page_asked).error();
  auto ids = instances_asked(call);
  if (!ids) return std::move(ids).error();
  std::erase_if(*ids, [&](const std::string& id) {
    return !passes(*world_.instances().find(InstanceId(id)), *filters);
  });
  const Page page = page_of(*ids, *page_asked);
  pugi::xml_node list = result.append_child("reservationSet");
  for (const std::string& id : page.keys) {
    write_instance(list, *world_.instances().find(InstanceId(id)), world_.settings());
  }
  if (!page.next_token.empty()) add_text(result, "nextToken", page.next_token);
  call.details["found"] = std::to_string(page.keys.size());
  if (ids->size() == 1) call.subject = ids->front();
  return {};
}

}  // namespace ferryman::sandbox
