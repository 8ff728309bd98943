// SPDX-License-Identifier: Apache-2.0
// AwsSettings: how the sandbox's AWS behaves where the real one has a choice. Durations are of the world's
// clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace ferryman::sandbox {

class ServiceSpan {
 public:
  ServiceSpan(Duration least_in, Duration most_in) : least(least_in), most(most_in) {}

  Duration least;
  Duration most;
};

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
      std::chrono::seconds{10};  // a load balancer's new target: initial to healthy
  // For so long a balancer goes on sending new requests to a target that left it: application and classic
  // ones, and network and gateway ones.
  ServiceSpan continued{std::chrono::seconds{5}, std::chrono::seconds{20}};
  ServiceSpan continued_network{std::chrono::seconds{60}, std::chrono::seconds{130}};
  std::uint64_t seed = 1;  // of what balancers do by chance
  bool throttling = true;  // refuse what is asked more often than AWS publishes
  double neighbour = 0;    // share of each published rate that others of the account spend, 0 to 1
  std::optional<Duration> replacement_delay;  // empty: a group launches nothing by itself
};

}  // namespace ferryman::sandbox
