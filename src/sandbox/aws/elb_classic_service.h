// SPDX-License-Identifier: Apache-2.0
// ElbClassicService: Elastic Load Balancing's query protocol, version 1, over the world's Classic Load
// Balancers.
#pragma once

#include <pugixml.hpp>

#include "base/result.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/aws_world.h"

namespace ferryman::sandbox {

class ElbClassicService {
 public:
  explicit ElbClassicService(AwsWorld& world) : world_(world) {}

  /// Fills `result`; errors carry the service's code.
  Result<void> answer(AwsCall& call, pugi::xml_node result);

 private:
  Result<void> describe_balancers(AwsCall& call, pugi::xml_node result);
  Result<void> describe_health(AwsCall& call, pugi::xml_node result);
  Result<void> describe_attributes(AwsCall& call, pugi::xml_node result);
  Result<void> describe_tags(AwsCall& call, pugi::xml_node result);
  Result<void> deregister(AwsCall& call, pugi::xml_node result);
  Result<void> enroll(AwsCall& call, pugi::xml_node result);

  Result<ClassicBalancer*> balancer_named(const std::string& name);
  Result<ClassicBalancer*> balancer_of(AwsCall& call);

  AwsWorld& world_;
};

}  // namespace ferryman::sandbox
