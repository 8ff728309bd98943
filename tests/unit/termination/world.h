// SPDX-License-Identifier: Apache-2.0
// World: simulated time, the four fakes on one script, and what each part of the product is handed.
#pragma once

#include "support/simulation.h"
#include "termination/context.h"
#include "unit/termination/builders.h"
#include "unit/termination/fakes/fake_balancers.h"
#include "unit/termination/fakes/fake_cloud.h"
#include "unit/termination/fakes/fake_cluster.h"
#include "unit/termination/fakes/fake_notices.h"
#include "unit/termination/fakes/fake_queue.h"

namespace ferryman::test {

class World {
 public:
  World() = default;
  ~World() {
    calls.cancel();
    sim.clock.advance(Duration{0});
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] Deadline within(Duration duration) const { return Deadline::after(sim.clock, duration); }
  [[nodiscard]] Duration elapsed() const { return sim.clock.now() - begin; }

  Simulation sim;
  SteadyTime begin = sim.clock.now();
  Script script{sim.clock};
  FakeQueue queue{sim.clock, script};
  FakeCloud cloud{sim.clock, script};
  FakeBalancers balancers{sim.clock, script};
  FakeCluster cluster{sim.clock, script, sim.scope};
  FakeNotices notices;
  Random random{7};
  termination::Policy policy;
  termination::Metrics metrics;
  termination::Context context{sim.clock, random, sim.log, policy, metrics};
  Scope calls{sim.clock, sim.log};
};

}  // namespace ferryman::test
