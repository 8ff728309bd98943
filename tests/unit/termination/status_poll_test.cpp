// SPDX-License-Identifier: Apache-2.0
#include "termination/status_poll.h"

#include <gtest/gtest.h>

#include "unit/termination/world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::instance;

/// Two Nodes and a poll every five minutes.
class PollWorld : public test::World {
 public:
  PollWorld() {
    policy.instance_status_period = 5min;
    for (const int n : {1, 2}) cluster.add_node(test::node_of(n));
  }

  void start() { calls.spawn("poll", poll.run()); }
  void next_poll() { sim.clock.advance(6min); }
  InstancePlan& plan(int n, const std::string& id) {
    InstancePlan added;
    added.instance_id = instance(n);
    added.id = id;
    added.code = "system-reboot";
    added.description = "The instance is scheduled for a reboot";
    added.starts = sim.clock.wall() + 48h;
    cloud.plans.push_back(added);
    return cloud.plans.back();
  }
  [[nodiscard]] std::vector<Event> taken() { return std::exchange(events, {}); }

  std::vector<Event> events;
  PauseSwitch pause{context, cluster};
  StatusPoll poll{context, cloud, cluster, pause,
                  [this](Event event) { events.push_back(std::move(event)); }};
};

TEST(StatusPoll, ANewPlanIsOneEvent) {
  PollWorld world;
  const InstancePlan plan = world.plan(2, "instance-event-1");
  world.start();
  world.sim.clock.advance(1min);
  const std::vector<Event> events = world.taken();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, EventKind::instance_status);
  EXPECT_EQ(events[0].instance_id, instance(2));
  EXPECT_EQ(events[0].event_id, "instance-event-1");
  ASSERT_TRUE(events[0].change);
  EXPECT_EQ(events[0].change->plan, "instance-event-1");
  EXPECT_EQ(events[0].change->code, "system-reboot");
  EXPECT_EQ(events[0].change->starts, plan.starts);
  EXPECT_FALSE(events[0].change->cancelled);
  EXPECT_TRUE(events[0].voluntary());
  for (int i = 0; i < 5; ++i) world.next_poll();
  EXPECT_EQ(world.taken().size(), 0U) << "the same plan is told once";
  EXPECT_GE(world.script.count("cloud.instance_plans"), 5U);
}

TEST(StatusPoll, AChangedPlanIsTheSamePlanWithItsNewTimes) {
  PollWorld world;
  world.plan(1, "p");
  world.start();
  world.next_poll();
  const std::vector<Event> first = world.taken();
  world.cloud.plans[0].starts += 24h;
  world.next_poll();
  const std::vector<Event> second = world.taken();
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].change->plan, first.at(0).change->plan);
  EXPECT_EQ(second[0].change->starts, first[0].change->starts + 24h);
  EXPECT_NE(second[0].key(), first[0].key());
}

TEST(StatusPoll, APlanThatIsOverOrDisappearsIsCancelledOnce) {
  for (const char* word : {"[Completed] rebooted", "[Canceled] not needed", ""}) {
    PollWorld world;
    world.plan(1, "p");
    world.start();
    world.next_poll();
    (void)world.taken();
    if (*word == '\0') {
      world.cloud.plans.clear();
    } else {
      world.cloud.plans[0].description = word;
    }
    world.next_poll();
    const std::vector<Event> events = world.taken();
    ASSERT_EQ(events.size(), 1U) << word;
    EXPECT_EQ(events[0].change->plan, "p");
    EXPECT_TRUE(events[0].change->cancelled);
    world.cloud.plans.clear();
    world.next_poll();
    EXPECT_EQ(world.taken().size(), 0U) << word;
  }
}

TEST(StatusPoll, TheEndOfANodeCancelsNothing) {
  PollWorld world;
  world.plan(1, "p");
  world.start();
  world.next_poll();
  (void)world.taken();
  world.cluster.remove_node(test::node_name(1));
  world.next_poll();
  EXPECT_EQ(world.taken().size(), 0U);
}

TEST(StatusPoll, AMissingRightIsToldOnceAndCancelsNothing) {
  PollWorld world;
  world.plan(1, "p");
  world.start();
  world.next_poll();
  (void)world.taken();
  world.script.fail("cloud.instance_plans", Error(Fault::denied, "UnauthorizedOperation", "not allowed"));
  for (int i = 0; i < 5; ++i) world.next_poll();
  EXPECT_EQ(world.taken().size(), 0U);
  ASSERT_EQ(world.sim.logs.with("plans.not_read").size(), 1U);
  EXPECT_EQ(world.sim.logs.with("allow ec2:DescribeInstanceStatus").size(), 1U);
  world.script.heal("cloud.instance_plans");
  world.next_poll();
  EXPECT_EQ(world.taken().size(), 0U) << "nothing changed meanwhile";
}

TEST(StatusPoll, AsksOnlyWithAPeriodWithNodesAndInSync) {
  PollWorld world;
  world.cluster.synced = false;
  world.start();
  world.next_poll();
  EXPECT_EQ(world.script.count("cloud.instance_plans"), 0U);
  world.cluster.synced = true;
  world.sim.clock.advance(5s);
  EXPECT_EQ(world.script.count("cloud.instance_plans"), 1U);
  for (const int n : {1, 2}) world.cluster.remove_node(test::node_name(n));
  world.next_poll();
  EXPECT_EQ(world.script.count("cloud.instance_plans"), 1U);
  world.policy.instance_status_period = 0s;
  world.sim.run(StatusPoll(world.context, world.cloud, world.cluster, world.pause, [](Event) {}).run());
}

}  // namespace
}  // namespace ferryman::termination
