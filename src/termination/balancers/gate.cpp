// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/gate.h"

namespace ferryman::termination::balancers {

namespace {

constexpr std::size_t calls_at_once = 8;

}  // namespace

Gate::Gate(Context& context_in, PoolCalls& calls_in, Rights& rights_in)
    : context(context_in),
      calls(calls_in),
      rights(rights_in),
      delays(context_in, calls_in, rights_in),
      turns(context_in.clock, calls_at_once),
      changed(context_in.clock),
      came(context_in.clock) {}

}  // namespace ferryman::termination::balancers
