// SPDX-License-Identifier: Apache-2.0
// Useful life: until when somebody can act on an event. A message past it is deleted by whoever holds it, so
// that none circulates for ever. Pure.
#pragma once

#include "termination/event.h"
#include "termination/parse/message_parser.h"

namespace ferryman::termination {

/// Spot and capacity: 5 minutes after the event, or its deadline when that is later. State change: 10
/// minutes. Rebalance: 30 minutes. A scheduled change: until its window is over (24 hours after its start
/// where AWS names no end, or one that is not after the start); its cancellation: 24 hours after the event.
/// Lifecycle actions: 48 hours, the longest that a hook can wait.
/// https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html
WallTime end_of_life(const Event& event);

/// The latest of its events; without events 48 hours after the message's own time. WallTime::max() when it
/// has no time that can be read: then the queue's retention ends it.
WallTime end_of_life(const parse::ParsedMessage& message);

}  // namespace ferryman::termination
