// SPDX-License-Identifier: Apache-2.0
// "EC2 Instance State-change Notification" from aws.ec2. Only exactly "stopping", "stopped", "shutting-down"
// and "terminated" are events; "pending", "running" and whatever else are nobody's.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/monitoring-instance-state-changes.html
#pragma once

#include "termination/parse/envelope.h"
#include "termination/parse/reading.h"

namespace ferryman::termination::parse {

/// Errors: invalid, naming the field.
Result<Reading> read_state_change(const Envelope& envelope);

}  // namespace ferryman::termination::parse
