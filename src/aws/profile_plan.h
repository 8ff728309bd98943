// SPDX-License-Identifier: Apache-2.0
// ProfilePlan: how a profile of the shared files comes to keys: where the first ones are from, and which
// roles are taken on with them, one after the other. Pure; the SDKs' rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aws/credentials.h"
#include "aws/shared_config.h"

namespace ferryman::aws {

/// A role to take on.
class Role {
 public:
  Role() = default;

  std::string arn;
  std::string session_name = "ferryman";
  std::string external_id;   // empty: none
  int duration_seconds = 0;  // 0: as STS has it, an hour
};

class ProfilePlan {
 public:
  ProfilePlan() = default;

  enum class Start : std::uint8_t { keys, web_identity, environment, container, instance_metadata };

  Start start = Start::keys;
  Credentials keys;        // for Start::keys
  Role web_role;           // for Start::web_identity
  std::string token_file;  // for Start::web_identity
  std::vector<Role> roles;
};

/// Errors: not_found (there is no such profile, or it has neither keys nor a role), invalid (it cannot work,
/// or needs what we do not have: sso, credential_process, a login, a multi-factor code).
Result<ProfilePlan> plan_profile(const SharedConfig& shared, const std::string& name);

}  // namespace ferryman::aws
