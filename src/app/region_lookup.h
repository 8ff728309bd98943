// SPDX-License-Identifier: Apache-2.0
// The last place where the region can be found: the metadata of the instance that we run on. It is asked
// before the daemon is made, because everything there needs the region.
#pragma once

#include "app/platform.h"
#include "app/settings.h"
#include "base/log.h"

namespace ferryman::app {

/// True when there is a queue URL, and neither settings, environment, queue URL nor a shared profile name a
/// region.
bool lacks_region(const Settings& settings, const Platform& platform);

/// Sets `settings.region`, or says in the log why it cannot; a few seconds at most.
Task<void> take_region_from_instance(Settings& settings, const Platform& platform, const Log& log);

}  // namespace ferryman::app
