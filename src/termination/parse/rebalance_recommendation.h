// SPDX-License-Identifier: Apache-2.0
// "EC2 Instance Rebalance Recommendation" from aws.ec2: a Spot Instance is at a higher risk to be
// interrupted. It need not come to that.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html
#pragma once

#include "termination/parse/envelope.h"
#include "termination/parse/reading.h"

namespace ferryman::termination::parse {

/// Errors: invalid, naming the field.
Result<Reading> read_rebalance_recommendation(const Envelope& envelope);

}  // namespace ferryman::termination::parse
