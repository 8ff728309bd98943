// SPDX-License-Identifier: Apache-2.0
// AwsSettings: how the sandbox's AWS behaves where the real one has a choice. Durations are of the world's
// clock.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/time.h"

namespace ferryman::sandbox {

class AwsSettings {
 public:
  AwsSettings() = default;

  std::string account = "123456789012";
  std::string region = "us-west-2";
  Duration boot = std::chrono::seconds{10};     // pending to running
  Duration shutdown = std::chrono::seconds{5};  // shutting-down to terminated, stopping to stopped
  Duration notice{std::chrono::seconds{120}};   // from a spot notice to the instance's end
  Duration gone_noticed{0};                     // a group learns so late that EC2 has terminated its member
  Duration remembered = std::chrono::hours{1};  // how long EC2 still lists a terminated instance
  Duration lifecycle_delay = std::chrono::seconds{1};  // Terminating to :Wait, and :Proceed to shutting-down
  Duration target_registration =
      std::chrono::seconds{10};               // a load balancer's new target: initial to healthy
  bool throttling = true;                     // refuse what is asked more often than AWS publishes
  std::optional<Duration> replacement_delay;  // empty: a group launches nothing by itself
};

}  // namespace ferryman::sandbox
