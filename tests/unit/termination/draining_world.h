// SPDX-License-Identifier: Apache-2.0
// DrainingWorld: one node and a plan of ten minutes: deletes from minute 8, force from minute 9.
#pragma once

#include "termination/steps/drain_step.h"
#include "unit/termination/world.h"

namespace ferryman::test {

class DrainingWorld : public World {
 public:
  DrainingWorld() {
    cluster.add_node(node_of(1));
    plan.started = sim.clock.now();
    plan.delete_from = plan.started + std::chrono::minutes{8};
    plan.force_from = plan.started + std::chrono::minutes{9};
    plan.deadline = plan.started + std::chrono::minutes{10};
    plan.lost_at = plan.started + std::chrono::hours{1};
  }
  ~DrainingWorld() {
    calls.cancel();
    sim.clock.advance(Duration{0});
  }
  DrainingWorld(const DrainingWorld&) = delete;
  DrainingWorld& operator=(const DrainingWorld&) = delete;

  FakePod pod(const std::string& name) const { return {name, node_name(1)}; }
  termination::steps::DrainOutcome drain() { return sim.run(step->run(node_of(1), plan)); }
  void drain_beside() {
    calls.spawn("drain", [](DrainingWorld& world) -> Task<void> {
      world.result = co_await world.step->run(node_of(1), world.plan);
    }(*this));
  }

  termination::Plan plan;
  termination::drain::Aids aids{context, cluster, calls};
  std::unique_ptr<termination::steps::DrainStep> step = std::make_unique<termination::steps::DrainStep>(
      context, aids, std::make_shared<termination::Narrator>(context, notices, instance(1)), sim.log);
  std::optional<termination::steps::DrainOutcome> result;
};

}  // namespace ferryman::test
