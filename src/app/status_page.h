// SPDX-License-Identifier: Apache-2.0
// The status page: one HTML document without scripts or outside files that reloads itself.
#pragma once

#include <string>

#include "app/status_report.h"

namespace ferryman::app {

std::string status_page(const StatusReport& report);

/// "3m 12s"; "0s" for nothing and less.
std::string spoken_duration(Duration duration);

}  // namespace ferryman::app
