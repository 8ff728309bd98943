// SPDX-License-Identifier: Apache-2.0
// What the Kubernetes adapter counts.
#pragma once

#include "base/error.h"
#include "base/metrics.h"

namespace ferryman::kube {

class Metrics {
 public:
  Counter requests;                    // attempts, watches and pages of lists included
  Family<Counter, Fault, 9> failures;  // attempts that failed, by fault
  Counter lists;                       // complete lists
  Counter watches;                     // watches opened
  Counter watch_expirations;           // 410: events may have been missed, so a list follows
  Counter watch_silences;              // neither event nor bookmark for 150 s
  Counter unreadable_objects;          // objects without name or UID, or no JSON
  Gauge nodes;                         // in the cache
};

}  // namespace ferryman::kube
