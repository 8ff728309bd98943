// SPDX-License-Identifier: Apache-2.0
// Endpoint: where a service's requests go and what is signed. The overrides are the SDKs' own variables.
#pragma once

#include <string>
#include <string_view>

#include "aws/service.h"
#include "base/environment.h"
#include "base/result.h"

namespace ferryman::aws {

class Endpoint {
 public:
  Endpoint() = default;

  Service service = Service::sqs;
  std::string url;     // "https://ec2.us-west-2.amazonaws.com/"
  std::string region;  // the one that is signed
  std::string source;  // "AWS_ENDPOINT_URL_EC2", "AWS_ENDPOINT_URL", "the queue URL", or "the region"
};

/// AWS_ENDPOINT_URL_<SERVICE>, then AWS_ENDPOINT_URL (both unless AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is
/// "true"), then https://<prefix>.<region>.<the partition's suffix>. Errors: invalid, naming the variable
/// whose value is no URL.
Result<Endpoint> endpoint_of(Service service, std::string_view region, const Environment& environment);

/// For SQS: overrides, then the queue URL's own host (it may be a VPC endpoint), but not the old
/// <region>.queue.amazonaws.com, which is answered by the region's.
Result<Endpoint> queue_endpoint(std::string_view queue_url, std::string_view region,
                                const Environment& environment);

}  // namespace ferryman::aws
