// SPDX-License-Identifier: Apache-2.0
// Which world the sandbox plays: the flags of the table's group "World", on top of the scenario file where
// one is named, on top of the scenario's own defaults.
#pragma once

#include "app/settings_resolver.h"
#include "sandbox/scenario.h"

namespace ferryman::app {

/// Error: invalid, naming file, line and cure. `fresh_seed` holds where neither flag nor file gives a seed.
Result<sandbox::Scenario> scenario_of(const ResolvedSettings& resolved, Files& files,
                                      std::uint64_t fresh_seed);

}  // namespace ferryman::app
