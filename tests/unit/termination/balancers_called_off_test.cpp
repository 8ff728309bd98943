// SPDX-License-Identifier: Apache-2.0
// Ends that come to nothing while the node leaves its load balancers, and ends that may.
#include <gtest/gtest.h>

#include "unit/termination/bodies.h"
#include "unit/termination/voluntary_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::api;
using test::FakeBalancers;
using test::FakePod;
using test::health_body;
using test::HealthNotice;
using test::instance;
using test::node_name;
using test::VoluntaryWorld;
using test::web;

/// Node 1 is announced to end in a day.
class AnnouncedWorld : public VoluntaryWorld {
 public:
  AnnouncedWorld() {
    add_nodes(1);
    put_everywhere(1);
  }
  void announce() {
    notice_ = notice({1}, 24h);
    queue.send("a", health_body(notice_));
  }
  void call_off() {
    notice_.status = "closed";
    notice_.time = now();
    queue.send("b", health_body(notice_));
  }
  [[nodiscard]] bool serves_everywhere() const {
    return balancers.serves(web, instance(1)) && balancers.serves(api, instance(1)) &&
           balancers.serves("old", instance(1));
  }

 private:
  HealthNotice notice_;
};

TEST(AnEndCalledOff, TakesNothingOutThatWasKept) {
  AnnouncedWorld world;
  world.balancers.set_healthy(web, instance(VoluntaryWorld::bystander), false);
  world.start();
  world.announce();
  world.run_for(1min);
  ASSERT_TRUE(world.balancers.serves(web, instance(1)));
  world.call_off();
  world.run_for(2min);
  EXPECT_TRUE(world.serves_everywhere());
  for (const auto& call : world.script.calls_of("balancers.deregister")) EXPECT_NE(call.what, web);
}

TEST(AnEndCalledOff, IsNotTakenOutAgainWhileTheRestIsPutBack) {
  AnnouncedWorld world;
  constexpr int many = 8;
  for (int i = 0; i < many; ++i) {
    const std::string name = "late" + std::to_string(i);
    world.balancers.add_group(name, BalancerType::application, 40s);
    for (const int n : {1, VoluntaryWorld::bystander})
      world.balancers.put(FakeBalancers::arn(name), instance(n), 80);
  }
  world.cluster.add_pod(FakePod("guarded", node_name(1)).refused(-1));
  world.script.set_latency("balancers.register", 4s);
  world.start();
  world.announce();
  world.run_for(20s);
  ASSERT_FALSE(world.balancers.serves(web, instance(1)));
  world.call_off();
  world.run_for(4min);
  EXPECT_TRUE(world.serves_everywhere());
  EXPECT_TRUE(world.balancers.serves(FakeBalancers::arn("late7"), instance(1)));
  EXPECT_EQ(world.script.calls_of("balancers.deregister").size(), 2U + many);
  EXPECT_TRUE(world.sim.logs.with("target.came_back").empty());
}

TEST(AnEndCalledOff, IsPutBackWhenDeregistrationsUnderWayAreOver) {
  AnnouncedWorld world;
  world.start();
  world.run_for(30s);
  world.script.set_latency("balancers.deregister", 8s);
  world.announce();
  world.run_for(5s);
  ASSERT_EQ(world.script.calls_of("balancers.deregister").size(), 2U);
  ASSERT_TRUE(world.balancers.serves(web, instance(1)));  // no answer yet
  world.call_off();
  world.run_for(2min);
  EXPECT_TRUE(world.serves_everywhere());
  EXPECT_FALSE(world.cordoned(1));
}

TEST(TheLastHealthyTarget, LeavesEarlyEnoughForItsDelay) {
  AnnouncedWorld world;
  world.policy.max_termination_time = 20min;
  world.balancers.add_group("slow", BalancerType::application, 300s);
  world.balancers.put(FakeBalancers::arn("slow"), instance(1), 80);
  world.policy.voluntary_min_age = 0s;
  world.start();
  world.queue.send("r", test::rebalance_body(1, world.now()));
  world.run_for(14min);
  ASSERT_TRUE(world.balancers.serves(FakeBalancers::arn("slow"), instance(1)));
  world.run_for(8min);
  EXPECT_FALSE(world.balancers.holds(FakeBalancers::arn("slow"), instance(1)));
  EXPECT_TRUE(world.sim.logs.with("settle.cut_short").empty());
  EXPECT_TRUE(world.sim.logs.with("delay.too_long").empty());
}

TEST(AnEndCalledOff, DoesNotPutBackWhatSomebodyElseTookOut) {
  AnnouncedWorld world;
  world.balancers.set_healthy(web, instance(VoluntaryWorld::bystander), false);
  world.start();
  world.run_for(1min);
  world.balancers.take_out("old", instance(1));  // known to be there; taken out before the end
  world.announce();
  world.run_for(1min);
  ASSERT_TRUE(world.balancers.serves(web, instance(1)));  // kept
  world.balancers.take_out(web, instance(1), 30080);      // and taken out by a human meanwhile
  world.run_for(1min);
  world.call_off();
  world.run_for(2min);
  EXPECT_FALSE(world.cordoned(1));
  EXPECT_TRUE(world.balancers.serves(api, instance(1)));
  EXPECT_FALSE(world.balancers.serves(web, instance(1)));
  EXPECT_FALSE(world.balancers.serves("old", instance(1)));
}

TEST(APoolThatIsGone, IsNoFailureWhenTheRestIsPutBack) {
  AnnouncedWorld world;
  world.start();
  world.announce();
  world.run_for(2min);
  world.script.fail("balancers.register", Error(Fault::not_found, "TargetGroupNotFound", "gone"), 1);
  world.call_off();
  world.run_for(1min);
  EXPECT_FALSE(world.cordoned(1));
  EXPECT_TRUE(world.sim.logs.with("target.not_registered_again").empty());
  EXPECT_EQ(world.sim.logs.with("target.pool_gone").size(), 1U);
}

TEST(ContinuedService, ThatOutlastsTheLongestTimeIsNamedAtTheStart) {
  for (const Duration longest : {60s, 200s}) {
    VoluntaryWorld world;
    world.policy.max_termination_time = longest;
    world.balancers.add_group("wide", BalancerType::network, 10s);
    (void)world.ending_node(1);
    world.balancers.put(FakeBalancers::arn("wide"), instance(1), 80);
    world.start();
    world.run_for(1min);
    EXPECT_EQ(world.sim.logs.with("continued_service.too_long").size(), longest < 130s ? 1U : 0U);
  }
}

TEST(ASpotNotice, DoesNotWaitForTheLookThatAnotherEndNeeds) {
  VoluntaryWorld world;
  world.policy.voluntary_min_age = 0s;
  world.add_nodes(2);
  for (const int n : {1, 2}) world.put_everywhere(n);
  world.start();
  world.run_for(1min);
  world.script.hang("balancers.health");
  world.script.hang("balancers.classic_health");
  world.queue.send("r", test::rebalance_body(1, world.now()));
  world.run_for(3s);
  const Duration before = world.elapsed();
  world.queue.send("s", test::spot_body(2, world.now()));
  world.run_for(20s);
  EXPECT_LT(world.when("balancers.deregister", web), before + 5s);
  EXPECT_LT(world.when("balancers.classic_deregister", "old"), before + 5s);
  EXPECT_TRUE(world.balancers.serves(web, instance(1)));
}

}  // namespace
}  // namespace ferryman::termination
