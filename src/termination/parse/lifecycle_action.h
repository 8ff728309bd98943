// SPDX-License-Identifier: Apache-2.0
// "EC2 Instance-terminate Lifecycle Action" from aws.autoscaling.
// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-event-reference.html
#pragma once

#include <vector>

#include "termination/event.h"
#include "termination/parse/envelope.h"

namespace ferryman::termination::parse {

/// Errors: invalid, naming the field.
Result<std::vector<Event>> parse_terminate_action(const Envelope& envelope);

}  // namespace ferryman::termination::parse
