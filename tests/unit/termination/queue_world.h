// SPDX-License-Identifier: Apache-2.0
// QueueWorld: held messages over the fake queue, without the rest of the product.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "termination/held_messages.h"
#include "unit/termination/world.h"

namespace ferryman::test {

class QueueWorld : public World {
 public:
  QueueWorld() { loops.spawn("held messages", held.run()); }
  ~QueueWorld() {
    loops.cancel();
    calls.cancel();
    sim.clock.advance(std::chrono::seconds{0});
  }
  QueueWorld(const QueueWorld&) = delete;
  QueueWorld& operator=(const QueueWorld&) = delete;

  /// Received now and held.
  termination::HeldMessagePtr take(const std::string& id, int parts = 1,
                                   std::vector<InstanceId> instances = {}) {
    if (!queue.holds(id)) queue.send(id, "body");
    auto received = sim.run(
        queue.receive(10, std::chrono::seconds{0}, policy.visibility, within(std::chrono::seconds{1})));
    EXPECT_TRUE(received && received->size() == 1 && received->front().id == id);
    return held.hold(std::move(received->front()), parts, std::move(instances));
  }
  /// That many messages, received by as few calls as that takes.
  std::vector<termination::HeldMessagePtr> take_many(int count) {
    for (int n = 0; n < count; ++n) queue.send("m" + std::to_string(n), "body");
    std::vector<termination::HeldMessagePtr> taken;
    while (static_cast<int>(taken.size()) < count) {
      auto received = sim.run(
          queue.receive(10, std::chrono::seconds{0}, policy.visibility, within(std::chrono::seconds{1})));
      for (termination::Message& message : *received) taken.push_back(held.hold(std::move(message), 1));
    }
    return taken;
  }
  void settle_all(const std::vector<termination::HeldMessagePtr>& messages,
                  termination::MessageOutcome outcome) {
    for (const termination::HeldMessagePtr& message : messages) held.settle(message, outcome);
  }
  /// Given back so often that each is hidden for about a minute now.
  void hide_for_long(const std::map<std::string, InstanceId>& about) {
    for (const auto& [id, instance] : about) queue.send(id, "body");
    for (int n = 1; n <= 12; ++n) {
      auto received = sim.run(
          queue.receive(10, std::chrono::seconds{0}, policy.visibility, within(std::chrono::seconds{1})));
      EXPECT_EQ(received->size(), about.size());
      for (termination::Message& message : *received) {
        const InstanceId instance = about.at(message.id);
        held.settle(held.hold(std::move(message), 1, {instance}), termination::MessageOutcome::foreign);
      }
      sim.clock.advance(n < 12 ? Duration{std::chrono::minutes{2}} : Duration{std::chrono::seconds{1}});
    }
    for (const auto& [id, instance] : about) EXPECT_FALSE(queue.visible(id)) << id;
  }
  /// Received and settled again, as often as `times`; gives the seconds of each release.
  std::vector<std::chrono::seconds> releases(int times) {
    for (int i = 0; i < times; ++i) {
      held.settle(take("m"), termination::MessageOutcome::foreign);
      sim.clock.advance(std::chrono::minutes{2});
    }
    return queue.visibilities;
  }

  termination::HeldMessages held{context, queue, calls};
  Scope loops{sim.clock, sim.log};
};

}  // namespace ferryman::test
