// SPDX-License-Identifier: Apache-2.0
// What controllers tell of their workloads in status: how many pods there are, and how many are ready.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/json.h"

namespace ferryman::sandbox {

struct WorkloadCounts {
  std::int64_t wanted = 0;
  std::int64_t present = 0;  // neither terminating nor finished
  std::int64_t ready = 0;
};

// Each gives the workload with its new status; `now` is for conditions that change.
json::value deployment_with_status(const json::value& deployment, const WorkloadCounts& counts,
                                   std::string_view now);
json::value replica_set_with_status(const json::value& replica_set, const WorkloadCounts& counts);
json::value daemon_set_with_status(const json::value& daemon_set, const WorkloadCounts& counts);

}  // namespace ferryman::sandbox
