// SPDX-License-Identifier: Apache-2.0
#include "termination/pause_switch.h"

#include <gtest/gtest.h>

#include "unit/termination/world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;

class PauseWorld : public test::World {
 public:
  PauseWorld() {
    policy.pause_namespace = "ops";
    policy.pause_name = "switch";
  }

  void start() { calls.spawn("pause", pause.run()); }
  void set(const std::string& value) { cluster.config_maps["ops/switch"]["paused"] = value; }
  /// Time for one more look.
  void look() { sim.clock.advance(6s); }
  [[nodiscard]] std::size_t told(std::string_view event) const { return sim.logs.with(event).size(); }

  PauseSwitch pause{context, cluster};
};

TEST(PauseSwitch, FollowsItsConfigMapAndTellsEachChangeOnce) {
  PauseWorld world;
  world.set("true");
  world.start();
  EXPECT_FALSE(world.pause.looked());
  world.look();
  EXPECT_TRUE(world.pause.looked());
  EXPECT_TRUE(world.pause.on());
  EXPECT_EQ(world.metrics.paused.value(), 1);
  world.sim.clock.advance(1min);
  EXPECT_EQ(world.told("work.paused config_map=ops/switch"), 1U);
  world.set("false");
  world.look();
  EXPECT_FALSE(world.pause.on());
  EXPECT_EQ(world.metrics.paused.value(), 0);
  EXPECT_EQ(world.told("work.resumed"), 1U);
}

TEST(PauseSwitch, WithoutTheConfigMapOrItsKeyNothingIsPaused) {
  PauseWorld world;
  world.start();
  world.look();
  EXPECT_FALSE(world.pause.on());
  world.cluster.config_maps["ops/switch"]["other"] = "true";
  world.look();
  EXPECT_FALSE(world.pause.on());
  for (const char* word : {"", "no", "False", "0"}) {
    world.set(word);
    world.look();
    EXPECT_FALSE(world.pause.on()) << word;
  }
  // Whoever writes something there in an emergency means it.
  for (const char* word : {"yes", "True", "1"}) {
    world.set(word);
    world.look();
    EXPECT_TRUE(world.pause.on()) << word;
  }
  world.set("true");
  world.look();
  EXPECT_TRUE(world.pause.on());
  world.cluster.config_maps.clear();
  world.look();
  EXPECT_FALSE(world.pause.on());
}

TEST(PauseSwitch, AMissingRightIsToldOnceWithItsCureAndPausesNothing) {
  PauseWorld world;
  world.set("true");
  world.script.fail("cluster.config_map", Error(Fault::denied, "Forbidden", "configmaps is forbidden"));
  world.start();
  world.sim.clock.advance(10min);
  EXPECT_TRUE(world.pause.looked());
  EXPECT_FALSE(world.pause.on());
  ASSERT_EQ(world.told("pause.not_read"), 1U);
  EXPECT_EQ(world.told("not paused"), 1U);
  EXPECT_EQ(world.told("grant the verb get on that ConfigMap"), 1U);
}

TEST(PauseSwitch, AFailureKeepsTheLastState) {
  PauseWorld world;
  world.set("true");
  world.start();
  world.look();
  world.script.fail("cluster.config_map", Error(Fault::transport, "connection refused"));
  world.set("false");
  world.sim.clock.advance(10min);
  EXPECT_TRUE(world.pause.on());
  EXPECT_EQ(world.told("pause.not_read"), 1U);
  world.script.heal("cluster.config_map");
  world.look();
  EXPECT_FALSE(world.pause.on());
}

TEST(PauseSwitch, WithoutANameNothingIsAsked) {
  PauseWorld world;
  world.policy.pause_name.clear();
  EXPECT_TRUE(world.pause.looked());
  world.sim.run(world.pause.run());
  EXPECT_EQ(world.script.count("cluster.config_map"), 0U);
  EXPECT_FALSE(world.pause.on());
}

}  // namespace
}  // namespace ferryman::termination
