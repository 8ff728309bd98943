// SPDX-License-Identifier: Apache-2.0
#include "app/aws_side.h"

#include "aws/standard_sources.h"

namespace ferryman::app {

AwsSide::AwsSide(const Groundwork& ground, const Platform& platform, const Log& log, Scope& scope)
    : context_(platform.http, platform.clock, platform.random, log, metrics_),
      sts_client_(context_, ground.sts, nullptr),
      sts_(sts_client_),
      metadata_(context_, platform.environment),
      credentials_(platform.clock, platform.random, log, scope,
                   aws::standard_sources(context_, platform.environment, platform.files, sts_, metadata_)),
      sqs_client_(context_, ground.sqs, &credentials_),
      ec2_client_(context_, ground.ec2, &credentials_),
      auto_scaling_client_(context_, ground.auto_scaling, &credentials_),
      elb2_client_(context_, ground.elb2, &credentials_),
      elb_classic_client_(context_, ground.elb_classic, &credentials_),
      sqs_(sqs_client_),
      ec2_(ec2_client_),
      auto_scaling_(auto_scaling_client_),
      elb2_(elb2_client_),
      elb_classic_(elb_classic_client_),
      queue_(sqs_, platform.clock, ground.queue),
      cloud_(auto_scaling_, ec2_),
      balancers_(elb2_, elb_classic_) {}

}  // namespace ferryman::app
