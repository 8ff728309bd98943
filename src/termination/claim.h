// SPDX-License-Identifier: Apache-2.0
// Claim: the durable record of a termination, one annotation on its Node. It survives any restart. A hint,
// not a proof: the instance id comes from spec.providerID, group and state from AWS, checked again on
// take-over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "termination/event.h"

namespace ferryman::termination {

class Claim {
 public:
  Claim() = default;

  /// False when the step was noted before.
  bool note_step(const std::string& step);

  std::vector<Event> events;  // with their actions; in the order of arrival
  WallTime started;
  WallTime deadline;
  bool cordoned = false;           // we set spec.unschedulable: it was not set before
  bool tainted = false;            // we added our taint
  std::vector<std::string> steps;  // done: "cordon", "drain", "complete"
  std::optional<WallTime> closed;  // the work is over; nobody resumes it
};

std::string encode(const Claim& claim);

/// Errors: invalid, naming the field. Unknown fields are ignored, so that an older version can read a newer
/// one's.
Result<Claim> decode_claim(std::string_view text);

}  // namespace ferryman::termination
