// SPDX-License-Identifier: Apache-2.0
// What the AWS module counts, per service. `app` owns it, passes it in and prints it.
#pragma once

#include "aws/service.h"
#include "base/error.h"
#include "base/metrics.h"

namespace ferryman::aws {

inline constexpr std::size_t fault_count = static_cast<std::size_t>(Fault::unexpected) + 1;

struct ServiceMetrics {
  Counter calls;  // attempts that were sent, retries included
  Family<Counter, Fault, fault_count> errors;
  Counter retries;
  Histogram seconds{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};  // per attempt; long polls included
};

struct Metrics {
  Family<ServiceMetrics, Service, service_count> services;

  /// Answers that said "too often".
  [[nodiscard]] std::uint64_t throttles(Service service) const {
    return services[service].errors[Fault::throttled].value();
  }
};

}  // namespace ferryman::aws
