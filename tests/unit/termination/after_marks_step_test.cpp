// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/after_marks_step.h"

#include <gtest/gtest.h>

#include "termination/balancers/arrivals.h"
#include "termination/ports/marks.h"
#include "termination/steps/take_back_step.h"
#include "unit/termination/world.h"

namespace ferryman::termination::steps {
namespace {

using namespace std::chrono_literals;
using test::instance;
using test::node_name;

const std::string ours(marks::taint_key);
const std::string out_of_service(marks::out_of_service_key);

class MarkingWorld : public test::World {
 public:
  MarkingWorld() {
    cluster.add_node(test::node_of(1));
    claim.claim().started = sim.clock.wall();
    claim.add(test::terminate_event(1), nullptr);
    claim.mark(Action::drain);
  }

  void cordon() { ASSERT_EQ(sim.run(claim.persist(within(10s))), ClaimWrite::durable); }
  void drained() { sim.run(step.drained(within(10s))); }
  void off() { sim.run(step.off(within(10s))); }
  bool take_back() {
    return sim.run(TakeBackStep(context, cluster, arrivals, instance(1), sim.log)
                       .run(claim.claim(), "test", within(1min)));
  }
  [[nodiscard]] const Node& node() const { return cluster.node(node_name(1)); }
  [[nodiscard]] bool has(const std::string& key, const std::string& effect) const {
    return std::ranges::any_of(
        node().taints, [&](const Taint& taint) { return taint.key == key && taint.effect == effect; });
  }

  HeldMessages held{context, queue, calls};
  AwsFacts facts{context, cloud, calls};
  balancers::Arrivals arrivals{context, balancers, calls};
  ClaimStep claim{context, cluster, held, instance(1), sim.log};
  AfterMarksStep step{context, facts, claim, instance(1), sim.log};
};

TEST(AfterMarks, BeforeTheDrainTheTaintIsNoScheduleAloneAndSaysWhy) {
  MarkingWorld world;
  world.policy.drain.no_execute_after = true;
  world.policy.drain.out_of_service = true;
  world.cordon();
  EXPECT_EQ(world.node().taints, (std::vector<Taint>{{ours, "asg-terminate", "NoSchedule"}}));
}

TEST(AfterMarks, NoExecuteComesOnlyAfterTheDrainAndOnlyWhenItIsWanted) {
  MarkingWorld world;
  world.cordon();
  world.drained();
  EXPECT_FALSE(world.has(ours, "NoExecute"));
  world.policy.drain.no_execute_after = true;
  world.drained();
  EXPECT_TRUE(world.has(ours, "NoExecute"));
  EXPECT_TRUE(world.has(ours, "NoSchedule"));
  EXPECT_TRUE(decode_claim(world.node().claim)->no_execute);
}

TEST(AfterMarks, OutOfServiceOnlyWhenEc2ItselfSaysThatTheInstanceIsOff) {
  MarkingWorld world;
  world.policy.drain.out_of_service = true;
  world.cordon();
  for (const char* state : {"running", "stopping", "shutting-down"}) {
    world.cloud.set_instance(instance(1), state);
    world.sim.clock.advance(10s);
    world.off();
    EXPECT_FALSE(world.has(out_of_service, "NoExecute")) << state;
  }
  world.cloud.set_instance(instance(1), "stopped");
  world.sim.clock.advance(10s);
  world.off();
  EXPECT_TRUE(world.has(out_of_service, "NoExecute"));
  EXPECT_EQ(world.node().taints.back().value, "nodeshutdown");
  EXPECT_TRUE(decode_claim(world.node().claim)->out_of_service);
}

TEST(AfterMarks, OutOfServiceIsOffByDefaultAndWithoutEc2sWord) {
  MarkingWorld world;
  world.cloud.set_instance(instance(1), "terminated");
  world.cordon();
  world.off();
  EXPECT_EQ(world.node().taints.size(), 1U);
  world.policy.drain.out_of_service = true;
  world.script.fail("cloud.instances", Error(Fault::denied, "no right"));
  world.off();
  EXPECT_EQ(world.node().taints.size(), 1U);
}

TEST(TakeBack, EveryMarkOfOursGoesWhenTheNodeComesBack) {
  MarkingWorld world;
  world.policy.drain.no_execute_after = true;
  world.policy.drain.out_of_service = true;
  world.cloud.set_instance(instance(1), "stopped");
  world.cordon();
  world.drained();
  world.off();
  ASSERT_EQ(world.node().taints.size(), 3U);
  EXPECT_TRUE(world.take_back());
  EXPECT_TRUE(world.node().taints.empty());
  EXPECT_FALSE(world.node().unschedulable);
  EXPECT_TRUE(world.node().claim.empty());
  EXPECT_FALSE(world.node().labels.contains(std::string(marks::exclude_label)));
  const auto& patch = world.cluster.patches.back();
  EXPECT_EQ(patch.labels.at(std::string(marks::exclude_label)), std::nullopt);
}

TEST(TakeBack, WhatOthersSetStays) {
  MarkingWorld world;
  const Taint theirs(out_of_service, "nodeshutdown", "NoExecute");
  world.cluster.edit_node(node_name(1), [&](Node& node) {
    node.unschedulable = true;
    node.taints = {theirs, Taint("other", "x", "NoSchedule")};
    node.labels[std::string(marks::exclude_label)] = "true";
  });
  world.cordon();
  EXPECT_TRUE(world.take_back());
  EXPECT_TRUE(world.node().unschedulable);
  EXPECT_EQ(world.node().taints, (std::vector<Taint>{theirs, Taint("other", "x", "NoSchedule")}));
  EXPECT_EQ(world.node().labels.at(std::string(marks::exclude_label)), "true");
}

TEST(TakeBack, ALabelThatSomebodyTookOverStays) {
  MarkingWorld world;
  world.cordon();
  world.cluster.edit_node(node_name(1),
                          [](Node& node) { node.labels[std::string(marks::exclude_label)] = "manual"; });
  EXPECT_TRUE(world.take_back());
  EXPECT_EQ(world.node().labels.at(std::string(marks::exclude_label)), "manual");
  EXPECT_FALSE(world.node().unschedulable);
}

// The answer to the cordon was lost: memory does not know of it, the Node's claim does.
TEST(TakeBack, AMarkWhoseAnswerWasLostIsTakenBackToo) {
  MarkingWorld world;
  world.script.lose_answer("cluster.patch_node", 1);
  EXPECT_EQ(world.sim.run(world.claim.persist(world.within(100ms))), ClaimWrite::too_late);
  ASSERT_TRUE(world.node().unschedulable);
  EXPECT_FALSE(world.claim.claim().cordoned);
  EXPECT_TRUE(world.take_back());
  EXPECT_FALSE(world.node().unschedulable);
  EXPECT_TRUE(world.node().taints.empty());
  EXPECT_TRUE(world.node().labels.empty());
}

}  // namespace
}  // namespace ferryman::termination::steps
