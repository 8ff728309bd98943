// SPDX-License-Identifier: Apache-2.0
// LoadBalancers: application, network and gateway balancers, as far as target groups need one to be in use.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/time.h"
#include "sandbox/aws/aws_settings.h"

namespace ferryman::sandbox {

class LoadBalancer {
 public:
  LoadBalancer() = default;

  std::string arn;
  std::string name;
  std::string type;  // "application", "network", "gateway"
  std::string dns_name;
  WallTime created;
  std::map<std::string, std::string> tags;
};

class LoadBalancers {
 public:
  LoadBalancers(Random& random, const AwsSettings& settings) : random_(random), settings_(settings) {}

  /// The one of that name and type; it is made when there is none.
  LoadBalancer& create(const std::string& name, const std::string& type, WallTime now);

  [[nodiscard]] const LoadBalancer* find(const std::string& arn) const;
  [[nodiscard]] const std::map<std::string, LoadBalancer>& all() const { return balancers_; }

 private:
  Random& random_;
  const AwsSettings& settings_;
  std::map<std::string, LoadBalancer> balancers_;  // by ARN
};

/// "arn:aws:elasticloadbalancing:us-west-2:123456789012:<rest>".
std::string elb_arn(const AwsSettings& settings, const std::string& rest);

/// "application", "network" or "gateway", by the balancer's ARN.
std::string_view type_of_balancer(std::string_view arn);

}  // namespace ferryman::sandbox
