// SPDX-License-Identifier: Apache-2.0
// AwsSide: everything of the daemon that talks to AWS, put together.
#pragma once

#include "app/groundwork.h"
#include "app/platform.h"
#include "aws/balancers.h"
#include "aws/cloud.h"
#include "aws/credential_chain.h"
#include "aws/instance_metadata.h"
#include "aws/message_queue.h"
#include "aws/sts.h"
#include "base/scope.h"

namespace ferryman::app {

class AwsSide {
 public:
  /// `scope` runs credential refreshes; it must be joined before this dies.
  AwsSide(const Groundwork& ground, const Platform& platform, const Log& log, Scope& scope);

  termination::MessageQueue& queue() { return queue_; }
  termination::Cloud& cloud() { return cloud_; }
  termination::Balancers& balancers() { return balancers_; }
  [[nodiscard]] const aws::Metrics& metrics() const { return metrics_; }

 private:
  aws::Metrics metrics_;
  aws::CallContext context_;
  aws::ServiceClient sts_client_;
  aws::Sts sts_;
  aws::InstanceMetadata metadata_;
  aws::CredentialChain credentials_;
  aws::ServiceClient sqs_client_;
  aws::ServiceClient ec2_client_;
  aws::ServiceClient auto_scaling_client_;
  aws::ServiceClient elb2_client_;
  aws::ServiceClient elb_classic_client_;
  aws::Sqs sqs_;
  aws::Ec2 ec2_;
  aws::AutoScaling auto_scaling_;
  aws::Elb2 elb2_;
  aws::ElbClassic elb_classic_;
  aws::SqsMessageQueue queue_;
  aws::AwsCloud cloud_;
  aws::AwsBalancers balancers_;
};

}  // namespace ferryman::app
