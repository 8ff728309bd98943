// SPDX-License-Identifier: Apache-2.0
// Elb2: the calls that we make of Elastic Load Balancing version 2, the one of target groups (query protocol,
// 2015-12-01).
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "aws/service_client.h"
#include "termination/ports/balancers.h"

namespace ferryman::aws {

class Elb2 {
 public:
  /// The client must outlive this.
  explicit Elb2(ServiceClient& client) : client_(client) {}

  /// All of the account and region, all pages.
  Task<Result<std::vector<termination::TargetGroup>>> describe_target_groups(Deadline deadline);

  /// Of 1–20 groups, by ARN.
  Task<Result<std::map<std::string, termination::TargetGroupTags>>> describe_tags(
      std::vector<std::string> group_arns, Deadline deadline);

  /// Without `targets`: all that are registered.
  Task<Result<std::vector<termination::TargetHealth>>> describe_target_health(
      std::string group_arn, std::vector<termination::Target> targets, Deadline deadline);

  /// DescribeTargetGroupAttributes, of which we need one.
  Task<Result<std::chrono::seconds>> deregistration_delay(std::string group_arn, Deadline deadline);

  /// 1–200 targets each.
  Task<Result<void>> deregister_targets(std::string group_arn, std::vector<termination::Target> targets,
                                        Deadline deadline);
  Task<Result<void>> register_targets(std::string group_arn, std::vector<termination::Target> targets,
                                      Deadline deadline);

 private:
  Task<Result<void>> change(std::string operation, std::string group_arn,
                            std::vector<termination::Target> targets, Deadline deadline);

  ServiceClient& client_;
};

/// One page of target groups and the token of the next (empty: the last).
class TargetGroupPage {
 public:
  TargetGroupPage() = default;

  std::vector<termination::TargetGroup> groups;
  std::string next_token;
};

/// Error: unexpected, when the text is no such answer or lacks something that we need.
Result<TargetGroupPage> parse_target_groups(std::string_view body);
Result<std::map<std::string, termination::TargetGroupTags>> parse_target_group_tags(std::string_view body);
Result<std::vector<termination::TargetHealth>> parse_target_health(std::string_view body);
Result<std::chrono::seconds> parse_deregistration_delay(std::string_view body);

}  // namespace ferryman::aws
