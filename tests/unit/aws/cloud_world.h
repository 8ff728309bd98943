// SPDX-License-Identifier: Apache-2.0
// CloudWorld: AwsCloud over one scripted remote that answers for Auto Scaling and EC2.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "aws/cloud.h"
#include "net/url.h"
#include "unit/aws/world.h"

namespace ferryman::aws::test {

/// Of the form that was sent.
inline std::string value_of(const net::HttpRequest& request, std::string_view name) {
  for (const auto& [key, value] : net::parse_query(request.body)) {
    if (key == name) return value;
  }
  return "(none)";
}

inline std::vector<InstanceId> instance_ids(int count) {
  std::vector<InstanceId> ids;
  for (int i = 0; i < count; ++i) ids.emplace_back(fmt::format("i-{:017x}", i));
  return ids;
}

/// Each service has its own client.
class CloudWorld : public World {
 public:
  CloudWorld() : World(Service::auto_scaling) {}

  static Endpoint ec2_endpoint() {
    Endpoint endpoint;
    endpoint.service = Service::ec2;
    endpoint.url = "https://ec2.test/";
    endpoint.region = "us-west-2";
    return endpoint;
  }

  ServiceClient ec2_client{context, ec2_endpoint(), &provider};
  AutoScaling auto_scaling{*client};
  Ec2 ec2{ec2_client};
  AwsCloud cloud{auto_scaling, ec2};
};

}  // namespace ferryman::aws::test
