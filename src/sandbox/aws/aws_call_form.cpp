// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/aws_call_form.h"

#include "sandbox/aws/aws_call.h"

namespace ferryman::sandbox {

CallName AwsCallForm::name(const net::HttpRequest& request) const {
  const AwsCall call = read_aws_call(request);
  return CallName(call.service == nullptr ? "aws" : std::string(call.service->name), call.operation);
}

net::HttpResponse AwsCallForm::refusal(const net::HttpRequest& request, const Refusal& refusal) const {
  AwsCall call = read_aws_call(request);
  call.request_id = "00000000-0000-4000-8000-000000000000";
  const bool ec2 = call.speaks(AwsProtocol::ec2);
  Error error(Fault::unexpected, refusal.code, refusal.text);
  int status = refusal.status;
  if (refusal.throttled) {
    error = Error(Fault::throttled, ec2 ? "RequestLimitExceeded" : "Throttling", "Rate exceeded");
    if (status == 0) status = ec2 ? 503 : 400;
  } else if (error.code.empty()) {
    error.code = ec2 ? "InternalError" : "InternalFailure";
  }
  return aws_refusal(call, error, status);
}

}  // namespace ferryman::sandbox
