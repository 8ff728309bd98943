// SPDX-License-Identifier: Apache-2.0
// "EC2 Spot Instance Interruption Warning" from aws.ec2: two minutes before EC2 terminates or stops the
// instance; one that hibernates begins to do so at once.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
#pragma once

#include "termination/parse/envelope.h"
#include "termination/parse/reading.h"

namespace ferryman::termination::parse {

/// Errors: invalid, naming the field.
Result<Reading> read_spot_interruption(const Envelope& envelope);

}  // namespace ferryman::termination::parse
