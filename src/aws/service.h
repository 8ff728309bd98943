// SPDX-License-Identifier: Apache-2.0
// Service: the AWS services that we call, and their wire facts (botocore's service models).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ferryman::aws {

// Elastic Load Balancing (two services under one prefix) comes with the balancer work.
enum class Service : std::uint8_t { sqs, ec2, auto_scaling, sts };

inline constexpr std::size_t service_count = 4;

struct ServiceFacts {
  std::string_view prefix;       // of the host name, and the name that is signed; also ours in logs
  std::string_view environment;  // AWS_ENDPOINT_URL_<this>: the SDKs' service id
  std::string_view version;      // of the query protocol; empty: JSON
};

inline constexpr std::array<ServiceFacts, service_count> service_facts = {{
    {"sqs", "SQS", ""},
    {"ec2", "EC2", "2016-11-15"},
    {"autoscaling", "AUTO_SCALING", "2011-01-01"},
    {"sts", "STS", "2011-06-15"},
}};

constexpr const ServiceFacts& facts_of(Service service) {
  return service_facts.at(static_cast<std::size_t>(service));
}

}  // namespace ferryman::aws
