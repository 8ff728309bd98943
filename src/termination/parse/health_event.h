// SPDX-License-Identifier: Apache-2.0
// "AWS Health Event" from aws.health: of EC2's scheduled changes, one event an affected instance. A long list
// of instances comes as several messages ("page") of the same plan.
// https://docs.aws.amazon.com/health/latest/ug/aws-health-events-eventbridge-schema.html
#pragma once

#include "termination/parse/envelope.h"
#include "termination/parse/reading.h"

namespace ferryman::termination::parse {

/// Errors: invalid, naming the field. Entities that are no instances are skipped.
Result<Reading> read_health_event(const Envelope& envelope);

}  // namespace ferryman::termination::parse
