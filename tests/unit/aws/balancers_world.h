// SPDX-License-Identifier: Apache-2.0
// BalancersWorld: both versions of Elastic Load Balancing behind one scripted service.
#pragma once

#include <fmt/format.h>

#include <string>

#include "aws/balancers.h"
#include "unit/aws/world.h"

namespace ferryman::aws::test {

class BalancersWorld : public World {
 public:
  BalancersWorld() : World(Service::elb2) {}

  ServiceClient classic_client{context, classic_endpoint(), &provider};
  Elb2 elb2{*client};
  ElbClassic classic{classic_client};
  AwsBalancers balancers{elb2, classic};

 private:
  static Endpoint classic_endpoint() {
    Endpoint endpoint;
    endpoint.service = Service::elb_classic;
    endpoint.url = "https://elb.test/";
    endpoint.region = "us-west-2";
    return endpoint;
  }
};

inline std::string answer_of(const std::string& operation, const std::string& result) {
  return fmt::format(
      "<{0}Response xmlns=\"http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/\"><{0}Result>{1}"
      "</{0}Result><ResponseMetadata><RequestId>x</RequestId></ResponseMetadata></{0}Response>",
      operation, result);
}

inline std::string refusal(const std::string& code, const std::string& message) {
  return fmt::format(
      "<ErrorResponse xmlns=\"http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/\"><Error><Type>Sender"
      "</Type><Code>{}</Code><Message>{}</Message></Error><RequestId>x</RequestId></ErrorResponse>",
      code, message);
}

}  // namespace ferryman::aws::test
