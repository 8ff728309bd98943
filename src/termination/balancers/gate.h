// SPDX-License-Identifier: Apache-2.0
// Gate: what all departures share: the calls, what is known of delays and rights, and who comes next.
#pragma once

#include <map>

#include "termination/balancers/delays.h"
#include "termination/balancers/turns.h"

namespace ferryman::termination::balancers {

/// It outlives the departures.
class Gate {
 public:
  Gate(Context& context_in, PoolCalls& calls_in, Rights& rights_in);

  Context& context;
  PoolCalls& calls;
  Rights& rights;
  Delays delays;
  Turns turns;
  Signal changed;  // notified whenever a target's progress changes
  /// Instances that were said to end and have not left yet, and since when; those of the last moments are
  /// waited for.
  std::map<InstanceId, SteadyTime> coming;
  SteadyTime newest_coming{};
  SteadyTime last_added{};
  Signal came;  // notified whenever one of them leaves
};

}  // namespace ferryman::termination::balancers
