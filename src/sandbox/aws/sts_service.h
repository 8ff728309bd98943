// SPDX-License-Identifier: Apache-2.0
// StsService: who am I, and temporary keys for a service account's token (IRSA).
#pragma once

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

  AwsWorld& world_;
  AccessKeys& keys_;
};

}  // namespace ferryman::sandbox
