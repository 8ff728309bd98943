// SPDX-License-Identifier: Apache-2.0
// InterruptionOrder: what the control API is asked to do to instances, read from JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sandbox/aws/event_bodies.h"

namespace ferryman::sandbox {

class InterruptionOrder {
 public:
  InterruptionOrder() = default;

  InstanceId instance;               // of all but health
  std::string action = "terminate";  // of a spot notice
  HealthNotice health;
  std::optional<WallTime> start;
};

/// `how`: "spot-interruption", "rebalance", "capacity-interruption" or "health". Error: invalid, naming the
/// member and what is allowed.
Result<InterruptionOrder> read_interruption(std::string_view how, std::string_view body);

}  // namespace ferryman::sandbox
