// SPDX-License-Identifier: Apache-2.0
#include "app/balancer_settings.h"

#include <fmt/format.h>

namespace ferryman::app {

using termination::KeyValue;
using termination::Policy;

void BalancerReading::read_into(Policy& policy, std::vector<std::string>& problems) const {
  policy.deregister = resolved_.boolean("deregister");
  policy.continued_service = resolved_.duration("continued-service");
  policy.continued_service_network = resolved_.duration("continued-service-network");
  policy.min_healthy_targets = static_cast<int>(resolved_.integer("min-healthy-targets"));
  policy.deregister_ip_targets = resolved_.boolean("deregister-ip-targets");
  policy.target_group_bindings = resolved_.boolean("target-group-bindings");
  policy.target_group_vpcs = resolved_.list("target-group-vpc");
  read_kinds(policy, problems);
  read_types(policy, problems);
  read_tags(policy, problems);
}

void BalancerReading::read_kinds(Policy& policy, std::vector<std::string>& problems) const {
  policy.leave_target_groups = policy.leave_classic_balancers = false;
  for (const std::string& kind : resolved_.list("deregister-from")) {
    if (kind == "target-group") {
      policy.leave_target_groups = true;
    } else if (kind == "classic-elb") {
      policy.leave_classic_balancers = true;
    } else {
      problems.push_back(
          fmt::format("{} has an entry that is none, \"{}\"; write target-group, classic-elb or both",
                      resolved_.told("deregister-from"), kind));
    }
  }
}

void BalancerReading::read_types(Policy& policy, std::vector<std::string>& problems) const {
  policy.target_group_types = resolved_.list("target-group-type");
  for (const std::string& type : policy.target_group_types) {
    if (type == "instance" || type == "ip") continue;
    problems.push_back(fmt::format("{} has an entry that is none, \"{}\"; write instance, ip or both",
                                   resolved_.told("target-group-type"), type));
  }
}

void BalancerReading::read_tags(Policy& policy, std::vector<std::string>& problems) const {
  policy.target_group_tags.clear();
  for (const std::string& text : resolved_.list("target-group-tag")) {
    const auto equals = text.find('=');
    std::optional<std::string> value;
    if (equals != std::string::npos) value = text.substr(equals + 1);
    KeyValue tag(text.substr(0, equals), std::move(value));
    if (tag.key.empty())
      problems.push_back(fmt::format("{} has an entry without a key; write entries like key or key=value",
                                     resolved_.told("target-group-tag")));
    policy.target_group_tags.push_back(std::move(tag));
  }
}

}  // namespace ferryman::app
