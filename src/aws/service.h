// SPDX-License-Identifier: Apache-2.0
// Service: the AWS services that we call, and their wire facts (botocore's service models).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ferryman::aws {

// Elastic Load Balancing is two services under one host: the API version tells them apart.
enum class Service : std::uint8_t { sqs, ec2, auto_scaling, sts, elb2, elb_classic };

inline constexpr std::size_t service_count = 6;

struct ServiceFacts {
  std::string_view label;        // in logs, errors and metrics: as the AWS CLI calls the service
  std::string_view prefix;       // of the host name, and the name that is signed
  std::string_view environment;  // AWS_ENDPOINT_URL_<this>: the SDKs' service id
  std::string_view version;      // of the query protocol; empty: JSON
};

inline constexpr std::array<ServiceFacts, service_count> service_facts = {{
    {"sqs", "sqs", "SQS", ""},
    {"ec2", "ec2", "EC2", "2016-11-15"},
    {"autoscaling", "autoscaling", "AUTO_SCALING", "2011-01-01"},
    {"sts", "sts", "STS", "2011-06-15"},
    {"elbv2", "elasticloadbalancing", "ELASTIC_LOAD_BALANCING_V2", "2015-12-01"},
    {"elb", "elasticloadbalancing", "ELASTIC_LOAD_BALANCING", "2012-06-01"},
}};

constexpr const ServiceFacts& facts_of(Service service) {
  return service_facts.at(static_cast<std::size_t>(service));
}

}  // namespace ferryman::aws
