// SPDX-License-Identifier: Apache-2.0
// ProfileCredentials: what the shared profile says: its keys, or a role taken on with another profile's keys,
// a web identity token, the environment's, the container's or the instance's keys.
#pragma once

#include <string>

#include "aws/credentials.h"
#include "aws/profile_plan.h"
#include "aws/sts.h"
#include "base/environment.h"
#include "base/files.h"

namespace ferryman::aws {

/// What credential_source may name.
struct OtherSources {
  CredentialSource& environment;
  CredentialSource& container;
  CredentialSource& instance_metadata;
};

class ProfileCredentials final : public CredentialSource {
 public:
  /// Files, STS and the sources must outlive this. The files are read for each fetch: rotated keys are seen.
  ProfileCredentials(Environment environment, Files& files, Sts& sts, OtherSources others);

  [[nodiscard]] std::string_view name() const override { return name_; }
  Task<Result<Credentials>> fetch(Deadline deadline) override;

 private:
  Result<ProfilePlan> plan() const;
  Task<Result<Credentials>> first_keys(const ProfilePlan& plan, Deadline deadline);
  Task<Result<Credentials>> web_identity(const ProfilePlan& plan, Deadline deadline);

  Environment environment_;
  Files& files_;
  Sts& sts_;
  OtherSources others_;
  std::string profile_;
  std::string name_;
};

}  // namespace ferryman::aws
