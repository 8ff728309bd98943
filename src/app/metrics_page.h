// SPDX-License-Identifier: Apache-2.0
// The metrics of all modules under their public names.
#pragma once

#include <optional>
#include <string>

#include "aws/metrics.h"
#include "base/files.h"
#include "base/time.h"
#include "kube/metrics.h"
#include "notify/metrics.h"
#include "termination/metrics.h"

namespace ferryman::app {

/// What the kernel says about this process; empty where it cannot be read.
class ProcessFacts {
 public:
  ProcessFacts() = default;

  std::optional<double> resident_bytes;
  std::optional<double> cpu_seconds;
};

/// From /proc/self; a simulation without these files has no facts.
ProcessFacts read_process_facts(Files& files);

struct MetricsPage {
  const termination::Metrics& termination;
  const aws::Metrics& aws;
  const kube::Metrics& kube;
  const notify::Metrics& notify;
  ProcessFacts process;
  WallTime started;
  bool ready;
};

std::string print_metrics(const MetricsPage& page);

}  // namespace ferryman::app
