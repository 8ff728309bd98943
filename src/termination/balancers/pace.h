// SPDX-License-Identifier: Apache-2.0
// When a target that leaves is asked for again, and how long balancers go on sending to it.
#pragma once

#include "base/error.h"
#include "base/time.h"
#include "termination/policy.h"
#include "termination/ports/balancers.h"

namespace ferryman::termination::balancers {

/// Before look n + 1: 2, 4, 6, … at most 15 s.
Duration poll_pause(int polls);

/// How long the first look at a target may wait for others that leave the same pool, so that one look serves
/// all.
Duration patience_of(Duration delay);

/// What the service asks for, but not for longer than its outages last.
Duration pause_after(const Error& error, Duration usual);

/// How long a balancer of this type goes on sending new requests to a target after its deregistration.
Duration continued_service(BalancerType type, const Policy& policy);

}  // namespace ferryman::termination::balancers
