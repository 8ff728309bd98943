// SPDX-License-Identifier: Apache-2.0
// Policy: what the settings say to the product. Plain values; the settings table in `app` fills them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"

namespace ferryman::termination {

enum class QueueMode : std::uint8_t {
  shared,     // other consumers read this queue: what is not ours goes back to it
  exclusive,  // we are alone: what is not ours is deleted
};

class Policy {
 public:
  Policy() = default;

  std::string account;  // of our queue; empty: envelopes are not compared
  std::string region;   // ours; empty: envelopes are not compared
  QueueMode queue_mode = QueueMode::shared;
  std::vector<std::string> hooks = {"*"};  // globs of the hooks that are ours to heartbeat and complete
  Duration max_termination_time = std::chrono::hours{1};
  Duration margin = std::chrono::seconds{15};  // kept before a deadline for the completion itself
  bool deregister = true;                      // take nodes out of load balancers, by label and by calls
  Duration continued_service = std::chrono::seconds{20};  // after a deregistration: application and classic
  Duration continued_service_network = std::chrono::seconds{130};  // and network and gateway
  double delete_phase_at = 0.8;         // share of the time after which refused evictions become deletes
  std::chrono::seconds visibility{20};  // of a received message; extended while it is held
  int receives_at_once = 2;             // long polls that run side by side when the queue is full
  Duration call_timeout = std::chrono::seconds{10};
  std::string own_namespace;  // our own pod goes last
  std::string own_pod;
};

bool is_our_hook(const Policy& policy, std::string_view hook);

}  // namespace ferryman::termination
