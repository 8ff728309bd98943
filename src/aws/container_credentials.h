// SPDX-License-Identifier: Apache-2.0
// ContainerCredentials: keys from an agent beside the container: EKS Pod Identity, ECS. The variables
// AWS_CONTAINER_CREDENTIALS_RELATIVE_URI (at 169.254.170.2) or AWS_CONTAINER_CREDENTIALS_FULL_URI name it,
// and AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE or AWS_CONTAINER_AUTHORIZATION_TOKEN what it wants to see.
#pragma once

#include <memory>
#include <string>

#include "aws/credentials.h"
#include "aws/service_client.h"
#include "base/environment.h"
#include "base/files.h"

namespace ferryman::aws {

class ContainerCredentials final : public CredentialSource {
 public:
  /// Files must outlive this. The token file is read for each fetch: the kubelet renews it.
  ContainerCredentials(const CallContext& context, Environment environment, Files& files);

  /// With the endpoint, when it is set up.
  [[nodiscard]] std::string_view name() const override { return name_; }
  Task<Result<Credentials>> fetch(Deadline deadline) override;

 private:
  Result<Secret> token() const;
  Task<Result<Credentials>> attempt(const Secret& token, Deadline deadline);

  CallContext context_;
  Environment environment_;
  Files& files_;
  std::shared_ptr<const net::ConnectionProfile> direct_;
  net::RetryBudget budget_;
  Result<std::string> url_;
  std::string name_;
};

}  // namespace ferryman::aws
