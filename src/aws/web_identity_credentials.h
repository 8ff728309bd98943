// SPDX-License-Identifier: Apache-2.0
// WebIdentityCredentials: a pod's service account token exchanged for a role's keys (EKS calls it IRSA).
// AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN say how, AWS_ROLE_SESSION_NAME (default "ferryman") as whom.
#pragma once

#include <string>

#include "aws/credentials.h"
#include "aws/sts.h"
#include "base/environment.h"
#include "base/files.h"

namespace ferryman::aws {

class WebIdentityCredentials final : public CredentialSource {
 public:
  /// Files and STS must outlive this. The token file is read for each exchange: the kubelet renews it.
  WebIdentityCredentials(Environment environment, Files& files, Sts& sts);

  /// With the STS endpoint: where it fails, the network to it is the usual reason.
  [[nodiscard]] std::string_view name() const override { return name_; }
  Task<Result<Credentials>> fetch(Deadline deadline) override;

 private:
  Environment environment_;
  Files& files_;
  Sts& sts_;
  std::string name_;
};

}  // namespace ferryman::aws
