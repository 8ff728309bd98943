// SPDX-License-Identifier: Apache-2.0
// ElbClassic: the calls that we make of Elastic Load Balancing's first version, that of Classic Load
// Balancers (query protocol, 2012-06-01).
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "aws/service_client.h"
#include "termination/ports/balancers.h"

namespace ferryman::aws {

class ElbClassic {
 public:
  /// The client must outlive this.
  explicit ElbClassic(ServiceClient& client) : client_(client) {}

  /// All of the account and region with their instances, all pages.
  Task<Result<std::vector<termination::ClassicBalancer>>> describe_load_balancers(Deadline deadline);

  /// Up to 200 instances, or all when none is named; AWS leaves terminated ones out of its answer.
  Task<Result<std::vector<termination::ClassicHealth>>> describe_instance_health(
      std::string name, std::vector<InstanceId> instances, Deadline deadline);

  /// DescribeLoadBalancerAttributes, of which we need one: how long connections drain, 0 s when they do not.
  Task<Result<std::chrono::seconds>> connection_draining(std::string name, Deadline deadline);

  /// 1–200 instances each.
  Task<Result<void>> deregister_instances(std::string name, std::vector<InstanceId> instances,
                                          Deadline deadline);
  Task<Result<void>> register_instances(std::string name, std::vector<InstanceId> instances,
                                        Deadline deadline);

 private:
  Task<Result<void>> change(std::string operation, std::string name, std::vector<InstanceId> instances,
                            Deadline deadline);

  ServiceClient& client_;
};

/// One page of balancers and the token of the next (empty: the last).
class ClassicBalancerPage {
 public:
  ClassicBalancerPage() = default;

  std::vector<termination::ClassicBalancer> balancers;
  std::string next_token;
};

/// Error: unexpected, when the text is no such answer or lacks something that we need.
Result<ClassicBalancerPage> parse_classic_balancers(std::string_view body);
Result<std::vector<termination::ClassicHealth>> parse_classic_health(std::string_view body);
Result<std::chrono::seconds> parse_connection_draining(std::string_view body);

}  // namespace ferryman::aws
