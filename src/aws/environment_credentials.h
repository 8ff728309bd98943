// SPDX-License-Identifier: Apache-2.0
// EnvironmentCredentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary keys,
// AWS_SESSION_TOKEN.
#pragma once

#include <string>

#include "aws/credentials.h"
#include "base/environment.h"

namespace ferryman::aws {

/// One of the two keys stands without the other: which, and how to mend it. Empty: both or none.
std::string half_given_keys(const Environment& environment);

class EnvironmentCredentials final : public CredentialSource {
 public:
  explicit EnvironmentCredentials(Environment environment) : environment_(std::move(environment)) {}

  [[nodiscard]] std::string_view name() const override { return "environment"; }
  Task<Result<Credentials>> fetch(Deadline deadline) override;

 private:
  Environment environment_;
};

}  // namespace ferryman::aws
