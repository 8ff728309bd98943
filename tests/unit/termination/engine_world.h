// SPDX-License-Identifier: Apache-2.0
// EngineWorld: the whole product over the fakes. `start` again is a restart: the world stays, memory is gone.
#pragma once

#include <memory>

#include "termination/claim.h"
#include "termination/engine.h"
#include "unit/termination/world.h"

namespace ferryman::test {

class EngineWorld : public World {
 public:
  EngineWorld() { cloud.add_hook(group, drain_hook, std::chrono::seconds{300}); }
  ~EngineWorld() { stop(); }
  EngineWorld(const EngineWorld&) = delete;
  EngineWorld& operator=(const EngineWorld&) = delete;

  void start() {
    engine = std::make_unique<termination::Engine>(
        sim.clock, random, sim.log, policy, termination::Ports(queue, cloud, balancers, cluster, notices));
    engine->start();
  }
  void stop(Duration longest = std::chrono::seconds{20}) {
    if (engine == nullptr) return;
    sim.run(engine->stop(within(longest)));
    engine.reset();
  }
  void run_for(Duration duration) { sim.clock.advance(duration); }

  /// A Node with two pods whose instance Auto Scaling wants to end; the message is not sent.
  termination::Event ending_node(int n) {
    cluster.add_node(node_of(n));
    for (const char* name : {"web-a-", "web-b-"}) {
      cluster.add_pod(FakePod(name + std::to_string(n), node_name(n)).ends_after(std::chrono::seconds{20}));
    }
    termination::Event event = terminate_event(n);
    event.event_time = sim.clock.wall();
    cloud.wait_for(*event.action);
    return event;
  }
  void send(const std::string& id, const termination::Event& event) { queue.send(id, body_of(event)); }

  /// Empty when the Node carries none.
  [[nodiscard]] termination::Claim claim_of(int n) const {
    auto claim = termination::decode_claim(cluster.node(node_name(n)).claim);
    return claim ? std::move(*claim) : termination::Claim();
  }
  [[nodiscard]] std::uint64_t ended(termination::TerminationResult result) {
    return engine->metrics().terminations[result].value();
  }
  [[nodiscard]] std::uint64_t messages(termination::MessageOutcome outcome) {
    return engine->metrics().messages[outcome].value();
  }

  std::unique_ptr<termination::Engine> engine;
};

}  // namespace ferryman::test
