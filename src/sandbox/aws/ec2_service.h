// SPDX-License-Identifier: Apache-2.0
// Ec2Service: EC2's query protocol over the world's instances.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/aws_world.h"

namespace ferryman::sandbox {

class Ec2Service {
 public:
  explicit Ec2Service(AwsWorld& world) : world_(world) {}

  /// Fills `result`; errors carry EC2's code.
  Result<void> answer(AwsCall& call, pugi::xml_node result);

 private:
  class StateChange;

  Result<void> describe_instances(AwsCall& call, pugi::xml_node result);
  Result<void> describe_status(AwsCall& call, pugi::xml_node result);
  Result<void> change_state(AwsCall& call, pugi::xml_node result, const StateChange& change);
  Result<void> reboot_instances(AwsCall& call, pugi::xml_node result);
  /// All when the call names none.
  Result<std::vector<std::string>> instances_asked(const AwsCall& call);
  /// Error when the call names none.
  Result<std::vector<std::string>> instances_named(AwsCall& call);

  AwsWorld& world_;
};

}  // namespace ferryman::sandbox
