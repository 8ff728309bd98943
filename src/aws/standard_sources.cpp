// SPDX-License-Identifier: Apache-2.0
#include "aws/standard_sources.h"

#include "aws/container_credentials.h"
#include "aws/environment_credentials.h"
#include "aws/instance_credentials.h"
#include "aws/profile_credentials.h"
#include "aws/web_identity_credentials.h"

namespace ferryman::aws {

CredentialChain::Sources standard_sources(const CallContext& context, const Environment& environment,
                                          Files& files, Sts& sts, InstanceMetadata& metadata) {
  auto keys = std::make_unique<EnvironmentCredentials>(environment);
  auto container = std::make_unique<ContainerCredentials>(context, environment, files);
  auto instance = std::make_unique<InstanceCredentials>(metadata);
  const OtherSources others{*keys, *container, *instance};
  CredentialChain::Sources sources;
  sources.push_back(std::move(keys));
  sources.push_back(std::make_unique<WebIdentityCredentials>(environment, files, sts));
  sources.push_back(std::make_unique<ProfileCredentials>(environment, files, sts, others));
  sources.push_back(std::move(container));
  sources.push_back(std::move(instance));
  return sources;
}

}  // namespace ferryman::aws
