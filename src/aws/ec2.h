// SPDX-License-Identifier: Apache-2.0
// Ec2: the EC2 calls that we make (query protocol, 2016-11-15).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aws/service_client.h"
#include "termination/ports/cloud.h"

namespace ferryman::aws {

class Ec2 {
 public:
  /// The client must outlive this.
  explicit Ec2(ServiceClient& client) : client_(client) {}

  /// DescribeInstances with the filter instance-id: 1–200 ids, all pages. By filter an unknown id is absent;
  /// named as a parameter it would fail the whole call.
  Task<Result<std::vector<termination::Instance>>> describe_instances(std::vector<InstanceId> ids,
                                                                      Deadline deadline);

  /// DescribeInstanceStatus of 1–100 ids, all pages: only what runs, and of that the scheduled events. There
  /// is no filter by id, so one unknown id fails the whole call: not_found, with code
  /// "InvalidInstanceID.NotFound".
  Task<Result<std::vector<termination::InstancePlan>>> describe_instance_status(std::vector<InstanceId> ids,
                                                                                Deadline deadline);

 private:
  ServiceClient& client_;
};

/// One page of instances and the token of the next (empty: the last).
class InstancePage {
 public:
  InstancePage() = default;

  std::vector<termination::Instance> instances;
  std::string next_token;
};

/// One page of scheduled events and the token of the next (empty: the last).
class PlanPage {
 public:
  PlanPage() = default;

  std::vector<termination::InstancePlan> plans;
  std::string next_token;
};

/// Error: unexpected, when the text is no DescribeInstances answer or an instance lacks its id or state.
Result<InstancePage> parse_instances(std::string_view body);
/// Error: unexpected, when the text is no DescribeInstanceStatus answer or an event lacks its code or start.
Result<PlanPage> parse_instance_plans(std::string_view body);

}  // namespace ferryman::aws
