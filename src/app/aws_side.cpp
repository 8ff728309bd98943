// SPDX-License-Identifier: Apache-2.0
#include "app/aws_side.h"

#include "aws/environment_credentials.h"
#include "aws/web_identity_credentials.h"

namespace ferryman::app {

namespace {

// Shared files, container endpoint and instance metadata come with their issue.
aws::CredentialChain::Sources sources(const Platform& platform, aws::Sts& sts) {
  aws::CredentialChain::Sources out;
  out.push_back(std::make_unique<aws::EnvironmentCredentials>(platform.environment));
  out.push_back(std::make_unique<aws::WebIdentityCredentials>(platform.environment, platform.files, sts));
  return out;
}

}  // namespace

AwsSide::AwsSide(const Groundwork& ground, const std::string& queue_url, const Platform& platform,
                 const Log& log, Scope& scope)
    : context_(platform.http, platform.clock, platform.random, log, metrics_),
      sts_client_(context_, ground.sts, nullptr),
      sts_(sts_client_),
      credentials_(platform.clock, platform.random, log, scope, sources(platform, sts_)),
      sqs_client_(context_, ground.sqs, &credentials_),
      ec2_client_(context_, ground.ec2, &credentials_),
      auto_scaling_client_(context_, ground.auto_scaling, &credentials_),
      sqs_(sqs_client_),
      ec2_(ec2_client_),
      auto_scaling_(auto_scaling_client_),
      queue_(sqs_, platform.clock, queue_url),
      cloud_(auto_scaling_, ec2_) {}

}  // namespace ferryman::app
