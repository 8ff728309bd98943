// SPDX-License-Identifier: Apache-2.0
// What every part of the Kubernetes adapter works with. All must outlive the adapter.
#pragma once

#include "base/log.h"
#include "kube/client.h"

namespace ferryman::kube {

class Context {
 public:
  Context(Client& client_in, Clock& clock_in, Random& random_in, Log log_in, Metrics& metrics_in)
      : client(client_in), clock(clock_in), random(random_in), log(std::move(log_in)), metrics(metrics_in) {}

  Client& client;
  Clock& clock;
  Random& random;
  Log log;
  Metrics& metrics;
};

}  // namespace ferryman::kube
