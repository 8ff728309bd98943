// SPDX-License-Identifier: Apache-2.0
// Aids: what all drains share.
#pragma once

#include "base/scope.h"
#include "termination/budget_watch.h"
#include "termination/daemon_sets.h"
#include "termination/drain/budget_room.h"
#include "termination/drain/call_slots.h"

namespace ferryman::termination::drain {

class Aids {
 public:
  /// The calls run in `calls_in`, whose owner cancels and joins it.
  Aids(Context& context, Cluster& cluster_in, Scope& calls_in)
      : cluster(cluster_in),
        calls(calls_in),
        budgets(context, cluster_in),
        daemon_sets(context, cluster_in) {}

  Cluster& cluster;
  Scope& calls;
  BudgetWatch budgets;
  DaemonSets daemon_sets;
  BudgetRoom room;
  CallSlots slots{100};
  bool denial_said = false;           // that we may not evict
  bool deletion_denial_said = false;  // nor delete
};

}  // namespace ferryman::termination::drain
