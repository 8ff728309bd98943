// SPDX-License-Identifier: Apache-2.0
// AwsHandler: the world over HTTP, for any AWS client. One endpoint URL serves all services, as moto's and
// LocalStack's do. Facts that a call causes stand in the journal before the call's own entry.
#pragma once

#include <memory>

#include "net/http_handler.h"
#include "sandbox/aws/access_keys.h"
#include "sandbox/aws/api_throttle.h"
#include "sandbox/aws/autoscaling_service.h"
#include "sandbox/aws/aws_world.h"
#include "sandbox/aws/ec2_service.h"
#include "sandbox/aws/elb2_service.h"
#include "sandbox/aws/elb_classic_service.h"
#include "sandbox/aws/sqs_service.h"
#include "sandbox/aws/sts_service.h"

namespace ferryman::sandbox {

class AwsHandler final : public net::HttpHandler {
 public:
  /// Both must outlive the handler.
  AwsHandler(AwsWorld& world, AccessKeys& keys)
      : world_(world),
        keys_(keys),
        sqs_(world),
        ec2_(world),
        autoscaling_(world),
        sts_(world, keys),
        elb2_(world),
        elb_classic_(world) {}

  Task<net::HttpReply> handle(net::HttpRequest request) override;

 private:
  Task<net::HttpResponse> answer(AwsCall& call);
  Task<net::HttpResponse> answer_sqs(AwsCall& call);
  net::HttpResponse answer_query(AwsCall& call);
  [[nodiscard]] std::string resource_of(const AwsCall& call) const;
  net::HttpResponse refuse(AwsCall& call, const Error& error);

  AwsWorld& world_;
  AccessKeys& keys_;
  SqsService sqs_;
  Ec2Service ec2_;
  AutoScalingService autoscaling_;
  StsService sts_;
  Elb2Service elb2_;
  ElbClassicService elb_classic_;
  ApiThrottle throttle_;
};

}  // namespace ferryman::sandbox
