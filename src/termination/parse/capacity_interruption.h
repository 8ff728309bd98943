// SPDX-License-Identifier: Apache-2.0
// "EC2 Capacity Reservation Instance Interruption Warning" from aws.ec2: the reservation that the instance
// runs in is taken back, or its Capacity Block ends. `resources` is a string there, so nothing is read from
// it. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/monitor-interruptible-cr.html and
// capacity-blocks-monitor.html
#pragma once

#include "termination/parse/envelope.h"
#include "termination/parse/reading.h"

namespace ferryman::termination::parse {

/// Errors: invalid, naming the field.
Result<Reading> read_capacity_interruption(const Envelope& envelope);

}  // namespace ferryman::termination::parse
