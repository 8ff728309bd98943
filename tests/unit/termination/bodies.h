// SPDX-License-Identifier: Apache-2.0
// Bodies of EventBridge's messages about instance n, in account 123456789012 and region us-west-2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace ferryman::test {

/// `action`: "terminate", "stop", "hibernate".
std::string spot_body(int n, WallTime time, const std::string& action = "terminate");
std::string rebalance_body(int n, WallTime time);
/// `state`: "stopping", "shutting-down", …
std::string state_body(int n, WallTime time, const std::string& state);
std::string launch_body(int n, WallTime time, const std::string& origin = "EC2");

class HealthNotice {
 public:
  std::vector<int> instances;
  std::string plan = "plan-1";
  std::string code = "AWS_EC2_INSTANCE_STOP_SCHEDULED";
  WallTime time;
  WallTime starts;
  std::optional<WallTime> ends;
  std::string status = "upcoming";
};
std::string health_body(const HealthNotice& notice);

}  // namespace ferryman::test
