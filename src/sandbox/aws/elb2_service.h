// SPDX-License-Identifier: Apache-2.0
// Elb2Service: Elastic Load Balancing's query protocol, version 2, over the world's target groups.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/aws_world.h"

namespace ferryman::sandbox {

class Elb2Service {
 public:
  explicit Elb2Service(AwsWorld& world) : world_(world) {}

  /// Fills `result`; errors carry the service's code.
  Result<void> answer(AwsCall& call, pugi::xml_node result);

 private:
  Result<void> describe_groups(AwsCall& call, pugi::xml_node result);
  Result<void> describe_health(AwsCall& call, pugi::xml_node result);
  Result<void> describe_attributes(AwsCall& call, pugi::xml_node result);
  Result<void> describe_balancers(AwsCall& call, pugi::xml_node result);
  Result<void> describe_tags(AwsCall& call, pugi::xml_node result);
  Result<void> deregister(AwsCall& call, pugi::xml_node result);
  Result<void> enroll(AwsCall& call, pugi::xml_node result);

  Result<TargetGroup*> group_of(AwsCall& call);
  Result<std::vector<std::string>> groups_asked(const AwsCall& call);
  Result<std::vector<std::string>> balancers_asked(const AwsCall& call);

  AwsWorld& world_;
};

}  // namespace ferryman::sandbox
