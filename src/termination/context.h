// SPDX-License-Identifier: Apache-2.0
// Context: what every part of the product is handed. All of it outlives the product; nothing here is owned.
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "termination/metrics.h"
#include "termination/plan.h"
#include "termination/policy.h"
#include "termination/ports/balancers.h"
#include "termination/ports/cloud.h"
#include "termination/ports/cluster.h"
#include "termination/ports/message_queue.h"
#include "termination/ports/notices.h"

namespace ferryman::termination {

class Context {
 public:
  Context(Clock& clock_in, Random& random_in, Log log_in, const Policy& policy_in, Metrics& metrics_in)
      : clock(clock_in), random(random_in), log(std::move(log_in)), policy(policy_in), metrics(metrics_in) {}

  [[nodiscard]] Moment moment() const { return {clock.now(), clock.wall()}; }
  [[nodiscard]] Deadline call_deadline() const { return Deadline::after(clock, policy.call_timeout); }

  Clock& clock;
  Random& random;
  Log log;
  const Policy& policy;
  Metrics& metrics;
};

/// The ports as one value.
class Ports {
 public:
  Ports(MessageQueue& queue_in, Cloud& cloud_in, Balancers& balancers_in, Cluster& cluster_in,
        Notices& notices_in)
      : queue(queue_in), cloud(cloud_in), balancers(balancers_in), cluster(cluster_in), notices(notices_in) {}

  MessageQueue& queue;
  Cloud& cloud;
  Balancers& balancers;
  Cluster& cluster;
  Notices& notices;
};

/// Kubernetes refuses for good: a right lacks. A token that is stale (401) is denied too, and replaced soon.
bool lacks_right(const Error& error);

/// The wait before try n + 1 of something that must not be given up: 0.5, 1, 2, 4, 8, at most 10 s, ± 30 %.
Duration patient_back_off(int n, Random& random);

}  // namespace ferryman::termination
