// SPDX-License-Identifier: Apache-2.0
// Events in words for a person: whole sentences. Pure.
#pragma once

#include <string>

#include "termination/event.h"
#include "termination/policy.h"

namespace ferryman::termination {

/// "EC2 interrupts the Spot Instance (terminate) at 2026-03-01T12:02:00Z."
std::string what_happened(const Event& event);

/// When the work for a scheduled change begins. Only for one that is acted on.
std::string begin_of_work(const Event& event, const Policy& policy);

/// Why nothing ever begins for a scheduled change that is cancelled or not acted on.
std::string why_never(const Event& event);

/// What becomes of the lifecycle hook.
std::string about_hook(const Event& event, bool ours, const Policy& policy);

}  // namespace ferryman::termination
