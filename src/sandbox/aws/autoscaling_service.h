// SPDX-License-Identifier: Apache-2.0
// AutoScalingService: Auto Scaling's query protocol over the world's groups and hooks.
#pragma once

#include <pugixml.hpp>

#include "base/result.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/aws_world.h"

namespace ferryman::sandbox {

class AutoScalingService {
 public:
  explicit AutoScalingService(AwsWorld& world) : world_(world) {}

  /// Fills `result`; errors carry Auto Scaling's code.
  Result<void> answer(AwsCall& call, pugi::xml_node result);

 private:
  Result<void> describe_groups(AwsCall& call, pugi::xml_node result);
  Result<void> describe_instances(AwsCall& call, pugi::xml_node result);
  Result<void> describe_hooks(AwsCall& call, pugi::xml_node result);
  Result<void> describe_tags(AwsCall& call, pugi::xml_node result);
  Result<void> put_hook(AwsCall& call, pugi::xml_node result);
  Result<void> heartbeat(AwsCall& call, pugi::xml_node result);
  Result<void> complete(AwsCall& call, pugi::xml_node result);
  Result<void> terminate(AwsCall& call, pugi::xml_node result);

  Result<void> test_target(const Group& group, const GroupHook& hook);
  Result<Group*> group_named(const AwsCall& call);

  AwsWorld& world_;
};

}  // namespace ferryman::sandbox
