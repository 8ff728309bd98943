// SPDX-License-Identifier: Apache-2.0
// StsService: who am I, and temporary keys for a role or for a service account's token (IRSA).
#pragma once

#include <initializer_list>
#include <pugixml.hpp>

#include "base/result.h"
#include "sandbox/aws/access_keys.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/aws_world.h"

namespace ferryman::sandbox {

class StsService {
 public:
  StsService(AwsWorld& world, AccessKeys& keys) : world_(world), keys_(keys) {}

  /// Fills `result`; errors carry STS's code.
  Result<void> answer(AwsCall& call, pugi::xml_node result);

 private:
  Result<void> get_caller_identity(const AwsCall& call, pugi::xml_node result);
  Result<void> assume_role_with_web_identity(AwsCall& call, pugi::xml_node result);
  Result<void> assume_role(AwsCall& call, pugi::xml_node result, std::initializer_list<const char*> required);

  AwsWorld& world_;
  AccessKeys& keys_;
};

}  // namespace ferryman::sandbox
