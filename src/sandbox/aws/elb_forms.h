// SPDX-License-Identifier: Apache-2.0
// The forms of Elastic Load Balancing's two query protocols: parameters with their checks, elements of the
// answers, and what the journal keeps of a call.
#pragma once

#include <map>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/classic_balancers.h"
#include "sandbox/aws/load_balancers.h"
#include "sandbox/aws/paging.h"
#include "sandbox/aws/target_groups.h"

namespace ferryman::sandbox {

/// PageSize (1–400, which is also the default) and Marker.
Result<PageRequest> read_elb_page(const AwsCall& call);

/// Targets.member.N.Id and .Port; the journal's details and subject are filled in.
Result<std::vector<TargetName>> read_targets(AwsCall& call);

/// Instances.member.N.InstanceId; the same.
std::vector<InstanceId> read_elb_instances(AwsCall& call);

void write_target_group(pugi::xml_node member, const TargetGroup& group);
void write_target_status(pugi::xml_node member, const TargetStatus& status);
void write_load_balancer(pugi::xml_node member, const LoadBalancer& balancer, const std::string& region);
void write_classic_balancer(pugi::xml_node member, const ClassicBalancer& balancer,
                            const std::string& region);
void write_instance_health(pugi::xml_node member, const InstanceHealth& health);

/// <parent><member><Key/><Value/></member>…; also the form of v2's attributes.
void write_pairs(pugi::xml_node parent, const std::map<std::string, std::string>& pairs);

}  // namespace ferryman::sandbox
