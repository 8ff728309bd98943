// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/ec2_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "sandbox/aws/ec2_forms.h"
#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

/// What an instance has under a filter's name; empty when the name is unknown.
FilterValues values_of(const Ec2Instance& instance, const std::string& name) {
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

/// All ids that can pass, in order: those that a filter names when it names them in full, so that a question
/// about 200 of 10,000 instances costs 200.
Result<std::vector<std::string>> candidates(const std::vector<Filter>& filters, const Instances& instances) {
  const auto by_id = std::find_if(filters.begin(), filters.end(), [](const Filter& filter) {
    return filter.name == "instance-id" &&
           std::none_of(filter.values.begin(), filter.values.end(), [](const std::string& value) {
             return value.find_first_of("*?\\") != std::string::npos;
           });
  });
  std::set<std::string> ids;
  if (by_id == filters.end()) {
    for (const auto& [id, instance] : instances.all()) ids.insert(id.str());
  } else {
    for (const std::string& id : by_id->values) {
      if (instances.find(InstanceId(id)) != nullptr) ids.insert(id);
    }
  }
  return std::vector<std::string>(ids.begin(), ids.end());
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

/// A call that leads instances from one state into another, for all of them or for none. It goes behind the
/// back of their group, which learns of it when an instance is gone: no hook waits.
class Ec2Service::StateChange {
 public:
  std::string_view operation;
  bool (Instances::*make)(const InstanceId&);
  std::vector<InstanceState> from;  // elsewhere it is refused
};

Result<void> Ec2Service::answer(AwsCall& call, pugi::xml_node result) {
  if (call.operation == "DescribeInstances") return describe_instances(call, result);
  if (call.operation == "DescribeInstanceStatus") return describe_status(call, result);
  if (call.operation == "RebootInstances") return reboot_instances(call, result);
  using S = InstanceState;
  const std::array<StateChange, 3> state_changes{{
      {"TerminateInstances",
       &Instances::shut_down,
       {S::pending, S::running, S::stopping, S::stopped, S::shutting_down, S::terminated}},
      {"StopInstances", &Instances::stop, {S::pending, S::running, S::stopping, S::stopped}},
      {"StartInstances", &Instances::start, {S::pending, S::running, S::stopped}},
  }};
  for (const StateChange& change : state_changes) {
    if (call.operation == change.operation) return change_state(call, result, change);
  }
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

Result<std::vector<std::string>> Ec2Service::instances_named(AwsCall& call) {
  if (!call.has("InstanceId.1")) {
    return Error(Fault::invalid, "MissingParameter", "The request must contain the parameter InstanceId");
  }
  auto ids = instances_asked(call);
  if (ids && ids->size() == 1) call.subject = ids->front();
  return ids;
}

Result<void> Ec2Service::change_state(AwsCall& call, pugi::xml_node result, const StateChange& change) {
  auto ids = instances_named(call);
  if (!ids) return std::move(ids).error();
  Instances& all = world_.instances();
  for (const std::string& text : *ids) {
    const InstanceState state = all.find(InstanceId(text))->state;
    if (std::find(change.from.begin(), change.from.end(), state) != change.from.end()) continue;
    return Error(Fault::invalid, "IncorrectInstanceState",
                 fmt::format("The instance '{}' is not in a state from which it can be {}.", text,
                             change.operation == "StartInstances" ? "started" : "stopped"));
  }
  pugi::xml_node list = result.append_child("instancesSet");
  for (const std::string& text : *ids) {
    const InstanceId id(text);
    const InstanceState before = all.find(id)->state;
    (all.*change.make)(id);
    pugi::xml_node item = list.append_child("item");
    add_text(item, "instanceId", text);
    write_state(item.append_child("currentState"), all.find(id)->state);
    write_state(item.append_child("previousState"), before);
  }
  return {};
}

Result<void> Ec2Service::reboot_instances(AwsCall& call, pugi::xml_node result) {
  auto ids = instances_named(call);
  if (!ids) return std::move(ids).error();
  for (const std::string& id : *ids) world_.instances().reboot(InstanceId(id));
  add_text(result, "return", "true");
  return {};
}

/// What does not run is left out unless the call asks for all.
Result<void> Ec2Service::describe_status(AwsCall& call, pugi::xml_node result) {
  const auto known = [this](const Ec2Instance& instance, const std::string& name) {
    return status_values_of(instance, name, world_.plans());
  };
  auto filters = read_filters(call, [&](const std::string& name) { return known({}, name).has_value(); });
  if (!filters) return std::move(filters).error();
  auto page_asked = read_page(call);
  if (!page_asked) return std::move(page_asked).error();
  auto ids = instances_asked(call);
  if (!ids) return std::move(ids).error();
  constexpr std::size_t most_ids = 100;
  if (call.has("InstanceId.1") && ids->size() > most_ids)
    return Error(Fault::invalid, "InvalidParameterValue", "At most 100 instance ids can be named");
  const bool all = call.parameter("IncludeAllInstances") == "true";
  std::erase_if(*ids, [&](const std::string& id) {
    const Ec2Instance& instance = *world_.instances().find(InstanceId(id));
    const bool shown = all || instance.state == InstanceState::running;
    return !shown || !passes(*filters, [&](const std::string& name) { return known(instance, name); });
  });
  const Page page = page_of(*ids, *page_asked);
  pugi::xml_node list = result.append_child("instanceStatusSet");
  for (const std::string& id : page.keys) {
    write_instance_status(list.append_child("item"), *world_.instances().find(InstanceId(id)),
                          world_.plans().of(InstanceId(id)));
  }
  if (!page.next_token.empty()) add_text(result, "nextToken", page.next_token);
  call.details["found"] = std::to_string(page.keys.size());
  return {};
}

Result<void> Ec2Service::describe_instances(AwsCall& call, pugi::xml_node result) {
  auto filters =
      read_filters(call, [](const std::string& name) { return values_of(Ec2Instance(), name).has_value(); });
  if (!filters) return std::move(filters).error();
  auto page_asked = read_page(call);
  if (!page_asked) return std::move(page_asked).error();
  auto ids = call.has("InstanceId.1") ? instances_asked(call) : candidates(*filters, world_.instances());
  if (!ids) return std::move(ids).error();
  std::erase_if(*ids, [&](const std::string& id) {
    const Ec2Instance& instance = *world_.instances().find(InstanceId(id));
    return !passes(*filters, [&](const std::string& name) { return values_of(instance, name); });
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
