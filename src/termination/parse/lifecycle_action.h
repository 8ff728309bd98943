// SPDX-License-Identifier: Apache-2.0
// "EC2 Instance-terminate Lifecycle Action" and "EC2 Instance-launch Lifecycle Action" from aws.autoscaling.
// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-event-reference.html
#pragma once

#include "termination/parse/envelope.h"
#include "termination/parse/reading.h"

namespace ferryman::termination::parse {

/// Errors: invalid, naming the field.
Result<Reading> read_lifecycle_action(const Envelope& envelope);

}  // namespace ferryman::termination::parse
