// SPDX-License-Identifier: Apache-2.0
// Ownership: is this instance ours? A Node that carries its id says yes; anything else is foreign for now
// (discriminators on the instance and its group come with the other event kinds).
#pragma once

#include <cstdint>

#include "termination/event.h"
#include "termination/ports/cluster.h"

namespace ferryman::termination {

enum class Ownership : std::uint8_t {
  ours,
  foreign,
  unknown,  // the node cache is not in sync: no verdict may be given
};

Ownership owner_of(const Event& event, const Cluster& cluster);

/// When nobody can act on the event any more. A lifecycle action waits 48 h at the longest.
/// https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html
WallTime end_of_life(const Event& event);

}  // namespace ferryman::termination
