// SPDX-License-Identifier: Apache-2.0
// ClusterState: what the models of the sandbox's Kubernetes share: the objects, what will happen later, and
// the journal.
#pragma once

#include <set>
#include <string>

#include "sandbox/journal.h"
#include "sandbox/kube/object_store.h"
#include "sandbox/kube/pod_ledger.h"
#include "sandbox/timeline.h"

namespace ferryman::sandbox {

class ClusterState {
 public:
  ClusterState(Clock& clock_in, Random& random_in, Scope& scope, Journal& journal_in)
      : clock(clock_in),
        random(random_in),
        journal(journal_in),
        objects(clock_in, random_in),
        pods(objects),
        timeline(clock_in, scope) {}

  Clock& clock;
  Random& random;
  Journal& journal;
  ObjectStore objects;
  PodLedger pods;
  std::set<std::string> dead_kubelets;  // names of Nodes whose instance no longer runs
  std::set<std::string> unregistered;   // names of deleted Nodes whose kubelet runs on
  Timeline timeline;
};

}  // namespace ferryman::sandbox
