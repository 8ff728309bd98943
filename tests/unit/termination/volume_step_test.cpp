// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/volume_step.h"

#include <gtest/gtest.h>

#include "unit/termination/world.h"

namespace ferryman::termination::steps {
namespace {

using namespace std::chrono_literals;
using test::FakePod;
using test::FakeVolume;
using test::node_name;

class VolumeWorld : public test::World {
 public:
  VolumeWorld() { cluster.add_node(test::node_of(1)); }

  /// A pod on node 1 whose volume is detached so long after its end.
  void add(const std::string& name, std::optional<Duration> detaches) {
    cluster.attach(node_name(1), FakeVolume("shop/data-" + name, "pv-" + name, detaches));
    cluster.add_pod(FakePod(name, node_name(1)).with_claim("data-" + name));
  }
  void note() { sim.run(step.note(cluster.pods_on(node_name(1)), within(10s))); }
  void end(const std::string& name) { cluster.end_pod(Uid("uid-" + name)); }
  bool wait(Duration longest) { return sim.run(step.wait(node_name(1), within(longest))); }

  Volumes volumes{context, cluster};
  std::shared_ptr<Narrator> narrator = std::make_shared<Narrator>(context, notices, test::instance(1));
  VolumeStep step{context, volumes, narrator, sim.log};
};

TEST(VolumeStep, TheInstanceIsKeptUntilTheVolumesOfItsPodsAreDetached) {
  VolumeWorld world;
  world.add("db-0", 8s);
  world.add("db-1", 20s);
  world.note();
  world.end("db-0");
  world.end("db-1");
  const Duration before = world.elapsed();
  EXPECT_TRUE(world.wait(60s));
  EXPECT_GE(world.elapsed() - before, 20s);
  EXPECT_LE(world.elapsed() - before, 24s);
  EXPECT_EQ(world.metrics.volumes_left.value(), 0U);
}

TEST(VolumeStep, WhatIsLeftAtTheLimitIsNamed) {
  VolumeWorld world;
  world.add("db-0", 5s);
  world.add("db-1", std::nullopt);
  world.note();
  world.end("db-0");
  world.end("db-1");
  const Duration before = world.elapsed();
  EXPECT_FALSE(world.wait(60s));
  EXPECT_GE(world.elapsed() - before, 58s);
  EXPECT_LE(world.elapsed() - before, 60s);
  EXPECT_EQ(world.metrics.volumes_left.value(), 1U);
  EXPECT_EQ(world.sim.logs.with("volumes.left").size(), 1U);
  ASSERT_EQ(world.notices.count(NoticeKind::volumes_left), 1U);
  EXPECT_NE(world.notices.told.back().text.find("pv-db-1"), std::string::npos);
  EXPECT_EQ(world.notices.told.back().text.find("pv-db-0"), std::string::npos);
}

TEST(VolumeStep, OnlyThePlansOwnVolumesOnThisNodeAreWaitedFor) {
  VolumeWorld world;
  world.add("db-0", 1s);
  world.note();
  world.cluster.attach(node_name(1), FakeVolume("ops/agent", "pv-agent", std::nullopt));
  world.cluster.attach(node_name(2), FakeVolume("shop/data-db-0", "pv-db-0", 1s));
  world.end("db-0");
  EXPECT_TRUE(world.wait(60s));
}

TEST(VolumeStep, WithoutTimeOrVolumesNothingIsAsked) {
  VolumeWorld world;
  world.cluster.add_pod(FakePod("web", node_name(1)));
  world.note();
  EXPECT_TRUE(world.wait(60s));
  world.add("db-0", std::nullopt);
  world.note();
  EXPECT_TRUE(world.wait(0s));
  EXPECT_EQ(world.script.count("cluster.attachments"), 0U);
  EXPECT_EQ(world.script.count("cluster.volume_of"), 1U);
}

TEST(VolumeStep, WithoutTheRightTheInstanceIsLetGoAndThatIsSaidOnce) {
  VolumeWorld world;
  world.add("db-0", std::nullopt);
  world.note();
  world.script.fail("cluster.attachments", Error(Fault::denied, "Forbidden", "cannot list"));
  EXPECT_TRUE(world.wait(60s));
  EXPECT_TRUE(world.wait(60s));
  EXPECT_LE(world.elapsed(), 1s);
  EXPECT_EQ(world.sim.logs.with("attachments.unknown").size(), 1U);
}

TEST(VolumeStep, AServerThatDoesNotAnswerForAMomentSaysNothing) {
  VolumeWorld world;
  world.add("db-0", 30s);
  world.note();
  world.end("db-0");
  world.script.fail("cluster.attachments", Error(Fault::transport, "reset"));
  world.sim.scope.spawn("heals", [](VolumeWorld& w) -> Task<void> {
    co_await w.sim.clock.sleep_for(20s);
    w.script.heal("cluster.attachments");
  }(world));
  EXPECT_TRUE(world.wait(60s));
  EXPECT_GE(world.elapsed(), 30s);
}

TEST(VolumeStep, WithoutTheRightToReadClaimsAllVolumesOfTheNodeCount) {
  VolumeWorld world;
  world.script.fail("cluster.volume_of", Error(Fault::denied, "Forbidden", "cannot get"));
  world.add("db-0", 10s);
  world.add("db-1", 10s);
  world.note();
  EXPECT_EQ(world.script.count("cluster.volume_of"), 1U);
  world.end("db-0");
  world.end("db-1");
  EXPECT_TRUE(world.wait(60s));
  EXPECT_GE(world.elapsed(), 10s);
  EXPECT_EQ(world.sim.logs.with("volumes.unknown").size(), 1U);
}

TEST(VolumeStep, AfterARestartAllVolumesOfTheNodeCount) {
  VolumeWorld world;
  world.add("db-0", 10s);
  world.end("db-0");
  world.step.resume();
  EXPECT_TRUE(world.wait(60s));
  EXPECT_GE(world.elapsed(), 10s);
}

TEST(VolumeStep, FiftyNodesThatWaitShareTheirLists) {
  VolumeWorld world;
  std::vector<std::unique_ptr<VolumeStep>> steps;
  for (int n = 1; n <= 50; ++n) {
    world.cluster.attach(node_name(n), FakeVolume("shop/d" + std::to_string(n), "pv", std::nullopt));
    steps.push_back(
        std::make_unique<VolumeStep>(world.context, world.volumes, world.narrator, world.sim.log));
    steps.back()->resume();
    const Deadline limit = world.within(60s);
    world.calls.spawn("wait", [](VolumeStep& step, std::string node, Deadline until) -> Task<void> {
      (void)co_await step.wait(std::move(node), until);
    }(*steps.back(), node_name(n), limit));
  }
  world.sim.clock.advance(70s);
  EXPECT_EQ(world.metrics.volumes_left.value(), 50U);
  EXPECT_LE(world.script.count("cluster.attachments"), 45U);
}

}  // namespace
}  // namespace ferryman::termination::steps
