// SPDX-License-Identifier: Apache-2.0
// The status report as JSON, for scripts: all that the page shows, and all that it cuts short.
#pragma once

#include <string>

#include "app/status_report.h"

namespace ferryman::app {

/// With a line break at the end.
std::string status_json(const StatusReport& report);

}  // namespace ferryman::app
