// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/elb_forms.h"

#include <fmt/format.h>

#include <charconv>

#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

constexpr const char* vpc = "vpc-0123456789abcdef0";

std::optional<std::size_t> whole(const std::string& text) {
  std::size_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

Error out_of_form(std::string_view value, std::string_view name, std::string_view constraint) {
  return Error(Fault::invalid, "ValidationError",
               fmt::format("1 validation error detected: Value '{}' at '{}' failed to satisfy constraint: {}",
                           value, name, constraint));
}

std::string protocol_of_check(const TargetGroup& group) {
  const bool http = group.spec.protocol == "HTTP" || group.spec.protocol == "HTTPS";
  return http ? group.spec.protocol : "TCP";
}

/// "i-1:80,i-2:80"; a single one is the call's subject.
void note_targets(AwsCall& call, const std::vector<TargetName>& targets) {
  std::string list;
  for (const TargetName& target : targets) {
    list += (list.empty() ? "" : ",") + target.id;
    if (target.port) list += ":" + std::to_string(*target.port);
  }
  if (!list.empty()) call.details["targets"] = std::move(list);
  if (targets.size() == 1) call.subject = targets.front().id;
}

}  // namespace

Result<PageRequest> read_elb_page(const AwsCall& call) {
  constexpr std::size_t most = 400;
  PageRequest page;
  page.size = most;
  if (call.has("PageSize")) {
    const auto size = whole(call.parameter("PageSize"));
    if (!size || *size < 1 || *size > most)
      return out_of_form(call.parameter("PageSize"), "pageSize", "Member must be between 1 and 400");
    page.size = *size;
  }
  if (!call.has("Marker")) return page;
  auto after = key_in_token(call.parameter("Marker"), "ValidationError");
  if (!after) return std::move(after).error();
  page.after = *after;
  return page;
}

Result<std::vector<TargetName>> read_targets(AwsCall& call) {
  std::vector<TargetName> targets;
  for (;;) {
    const std::string prefix = fmt::format("Targets.member.{}.", targets.size() + 1);
    if (!call.has(prefix + "Id")) break;
    TargetName target{call.parameter(prefix + "Id"), std::nullopt};
    if (call.has(prefix + "Port")) {
      const auto port = whole(call.parameter(prefix + "Port"));
      if (!port || *port < 1 || *port > 65'535)
        return out_of_form(call.parameter(prefix + "Port"), "targets.port",
                           "Member must be between 1 and 65535");
      target.port = static_cast<std::uint16_t>(*port);
    }
    targets.push_back(std::move(target));
  }
  note_targets(call, targets);
  return targets;
}

std::vector<InstanceId> read_elb_instances(AwsCall& call) {
  std::vector<InstanceId> ids;
  std::vector<TargetName> names;
  for (;;) {
    const std::string name = fmt::format("Instances.member.{}.InstanceId", ids.size() + 1);
    if (!call.has(name)) break;
    ids.emplace_back(call.parameter(name));
    names.push_back({ids.back().str(), std::nullopt});
  }
  note_targets(call, names);
  return ids;
}

void write_target_group(pugi::xml_node member, const TargetGroup& group) {
  const bool http = group.spec.protocol == "HTTP" || group.spec.protocol == "HTTPS";
  add_text(member, "TargetGroupArn", group.arn);
  add_text(member, "TargetGroupName", group.spec.name);
  add_text(member, "Protocol", group.spec.protocol);
  if (http) add_text(member, "ProtocolVersion", "HTTP1");
  add_text(member, "Port", group.spec.port);
  add_text(member, "VpcId", vpc);
  add_text(member, "HealthCheckProtocol", protocol_of_check(group));
  add_text(member, "HealthCheckPort", "traffic-port");
  add_text(member, "HealthCheckEnabled", "true");
  add_text(member, "HealthCheckIntervalSeconds", 15);
  add_text(member, "HealthCheckTimeoutSeconds", 5);
  add_text(member, "HealthyThresholdCount", 2);
  add_text(member, "UnhealthyThresholdCount", 2);
  if (http) {
    add_text(member, "HealthCheckPath", "/");
    add_text(member.append_child("Matcher"), "HttpCode", "200");
  }
  pugi::xml_node users = member.append_child("LoadBalancerArns");
  if (!group.spec.load_balancer.empty()) add_text(users, "member", group.spec.load_balancer);
  add_text(member, "TargetType", group.spec.target_type);
  add_text(member, "IpAddressType", "ipv4");
}

void write_target_status(pugi::xml_node member, const TargetStatus& status) {
  pugi::xml_node target = member.append_child("Target");
  add_text(target, "Id", status.target.id);
  add_text(target, "Port", status.target.port);
  add_text(member, "HealthCheckPort", std::to_string(status.target.port));
  pugi::xml_node health = member.append_child("TargetHealth");
  add_text(health, "State", status.state);
  if (status.reason.empty()) return;
  add_text(health, "Reason", status.reason);
  add_text(health, "Description", status.description);
}

void write_load_balancer(pugi::xml_node member, const LoadBalancer& balancer, const std::string& region) {
  add_text(member, "LoadBalancerArn", balancer.arn);
  add_text(member, "DNSName", balancer.dns_name);
  add_text(member, "CanonicalHostedZoneId", "Z0000000000000");
  add_text(member, "CreatedTime", format_rfc3339_millis(balancer.created));
  add_text(member, "LoadBalancerName", balancer.name);
  add_text(member, "Scheme", "internal");
  add_text(member, "VpcId", vpc);
  add_text(member.append_child("State"), "Code", "active");
  add_text(member, "Type", balancer.type);
  pugi::xml_node zones = member.append_child("AvailabilityZones");
  for (const char letter : {'a', 'b', 'c'})
    add_text(zones.append_child("member"), "ZoneName", region + letter);
  add_text(member, "IpAddressType", "ipv4");
}

void write_classic_balancer(pugi::xml_node member, const ClassicBalancer& balancer,
                            const std::string& region) {
  add_text(member, "LoadBalancerName", balancer.spec.name);
  add_text(member, "DNSName", balancer.dns_name);
  pugi::xml_node description = member.append_child("ListenerDescriptions").append_child("member");
  pugi::xml_node listener = description.append_child("Listener");
  add_text(listener, "Protocol", "TCP");
  add_text(listener, "LoadBalancerPort", 80);
  add_text(listener, "InstanceProtocol", "TCP");
  add_text(listener, "InstancePort", balancer.spec.instance_port);
  description.append_child("PolicyNames");
  pugi::xml_node zones = member.append_child("AvailabilityZones");
  for (const char letter : {'a', 'b', 'c'}) add_text(zones, "member", region + letter);
  add_text(member, "VPCId", vpc);
  pugi::xml_node instances = member.append_child("Instances");
  for (const auto& [id, registration] : balancer.instances) {
    // One that drains is no member any more.
    if (registration.state != TargetState::draining)
      add_text(instances.append_child("member"), "InstanceId", id.str());
  }
  pugi::xml_node check = member.append_child("HealthCheck");
  add_text(check, "Target", fmt::format("TCP:{}", balancer.spec.instance_port));
  add_text(check, "Interval", 10);
  add_text(check, "Timeout", 5);
  add_text(check, "UnhealthyThreshold", 6);
  add_text(check, "HealthyThreshold", 2);
  add_text(member, "CreatedTime", format_rfc3339_millis(balancer.created));
  add_text(member, "Scheme", "internal");
}

void write_instance_health(pugi::xml_node member, const InstanceHealth& health) {
  add_text(member, "InstanceId", health.id.str());
  add_text(member, "State", health.state);
  add_text(member, "ReasonCode", health.reason_code);
  add_text(member, "Description", health.description);
}

void write_pairs(pugi::xml_node parent, const std::map<std::string, std::string>& pairs) {
  for (const auto& [key, value] : pairs) {
    pugi::xml_node member = parent.append_child("member");
    add_text(member, "Key", key);
    add_text(member, "Value", value);
  }
}

}  // namespace ferryman::sandbox
