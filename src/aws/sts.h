// SPDX-License-Identifier: Apache-2.0
// Sts: the STS calls that we make (query protocol, 2011-06-15). Give it a client of a regional endpoint and
// without credentials: AssumeRoleWithWebIdentity is not signed, the token is the proof; AssumeRole is signed
// with the keys that it is called with.
#pragma once

#include <string>
#include <string_view>

#include "aws/credentials.h"
#include "aws/profile_plan.h"
#include "aws/service_client.h"

namespace ferryman::aws {

class Sts {
 public:
  /// The client must outlive this.
  explicit Sts(ServiceClient& client) : client_(client) {}

  class WebIdentity {
   public:
    WebIdentity() = default;

    std::string role_arn;
    std::string session_name;
    Secret token;
  };

  /// Temporary credentials with their expiry (an hour, unless the role says otherwise).
  Task<Result<Credentials>> assume_role_with_web_identity(WebIdentity who, Deadline deadline);

  /// The same, with keys that may take on the role.
  Task<Result<Credentials>> assume_role(Role role, Credentials with, Deadline deadline);

  [[nodiscard]] const Endpoint& endpoint() const { return client_.endpoint(); }

 private:
  ServiceClient& client_;
};

/// The answer of `operation`. Error: unexpected, when the text is no such answer or lacks a key, the token or
/// the expiry.
Result<Credentials> parse_role_answer(std::string_view operation, std::string_view body);

}  // namespace ferryman::aws
