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

/// Which of a region's endpoints are wanted.
struct EndpointVariant {
  bool fips = false;
  bool dual_stack = false;  // IPv6 as well as IPv4
  friend bool operator==(const EndpointVariant&, const EndpointVariant&) = default;
};

/// AWS_ENDPOINT_URL_<SERVICE>, then AWS_ENDPOINT_URL (both unless AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is
/// "true"), then https://<prefix>[-fips].<region>.<the partition's suffix>. Errors: invalid, naming the
/// variable whose value is no URL, or which excludes the wanted variant (as in the SDKs).
Result<Endpoint> endpoint_of(Service service, std::string_view region, const Environment& environment,
                             EndpointVariant variant = {});

/// For SQS: overrides, then the queue URL's own host (it may be a VPC endpoint). Not so the old
/// <region>.queue.amazonaws.com, and not the region's other variants when one is wanted: those are answered
/// by the region's endpoint.
Result<Endpoint> queue_endpoint(std::string_view queue_url, std::string_view region,
                                const Environment& environment, EndpointVariant variant = {});

}  // namespace ferryman::aws
