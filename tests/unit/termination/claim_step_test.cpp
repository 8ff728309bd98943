// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/claim_step.h"

#include <gtest/gtest.h>

#include "termination/ports/marks.h"
#include "unit/termination/world.h"

namespace ferryman::termination::steps {
namespace {

using namespace std::chrono_literals;
using test::instance;
using test::node_name;
using test::terminate_event;

class ClaimingWorld : public test::World {
 public:
  ClaimingWorld() {
    cluster.add_node(test::node_of(1));
    step.claim().started = sim.clock.wall();
    step.mark(Action::drain);
  }

  HeldMessagePtr message(const std::string& id) {
    Message received;
    received.id = id;
    received.receipt_handle = id;
    return held.hold(std::move(received), 1);
  }
  ClaimWrite persist(Duration longest = 10min) { return sim.run(step.persist(within(longest))); }
  [[nodiscard]] const Node& node() const { return cluster.node(node_name(1)); }
  [[nodiscard]] Claim claim_on_node() const { return decode_claim(node().claim).value(); }

  HeldMessages held{context, queue, calls};
  ClaimStep step{context, cluster, held, instance(1), sim.log};
};

TEST(ClaimStep, TheFirstPatchCordonsTaintsAndClaimsInOneCall) {
  ClaimingWorld world;
  const std::string version = world.node().resource_version;
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  ASSERT_EQ(world.cluster.patches.size(), 1U);
  EXPECT_EQ(world.script.calls().front().operation, "cluster.patch_node");
  const NodePatch& patch = world.cluster.patches.front();
  EXPECT_EQ(patch.uid, Uid("uid-node-1"));
  EXPECT_EQ(patch.resource_version, version);
  EXPECT_TRUE(world.node().unschedulable);
  ASSERT_EQ(world.node().taints.size(), 1U);
  EXPECT_EQ(world.node().taints.front(), Taint(std::string(marks::taint_key), "asg-terminate", "NoSchedule"));
  const Claim claim = world.claim_on_node();
  EXPECT_TRUE(claim.cordoned && claim.tainted);
  EXPECT_EQ(claim.steps, std::vector<std::string>{"cordon"});
  EXPECT_EQ(claim.events.front().action->token, "token-1-drain-hook");
}

TEST(ClaimStep, AMessageIsSettledOnlyWhenItsEventIsOnTheNode) {
  ClaimingWorld world;
  world.script.fail("cluster.patch_node", Error(Fault::transport, "reset"), 1);
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.held.size(), 1U);
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  world.sim.clock.advance(1s);
  EXPECT_EQ(world.metrics.messages[MessageOutcome::claimed].value(), 1U);
  const std::size_t second_patch = world.script.calls().size() - 2;
  EXPECT_EQ(world.script.calls()[second_patch].operation, "cluster.patch_node");
  EXPECT_EQ(world.script.first("queue.remove"), second_patch + 1);
}

TEST(ClaimStep, OnConflictTheNodeIsReadAndWrittenAnew) {
  ClaimingWorld world;
  world.cluster.watch_works = false;
  world.cluster.edit_node(node_name(1),
                          [](Node& node) { node.taints.emplace_back("theirs", "x", "NoExecute"); });
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  EXPECT_EQ(world.script.count("cluster.patch_node"), 2U);
  ASSERT_EQ(world.node().taints.size(), 2U);
  EXPECT_EQ(world.node().taints.front().key, "theirs");
  EXPECT_EQ(world.sim.logs.with("node.cordoned").size(), 1U);
  EXPECT_LT(world.elapsed(), 1s);
}

TEST(ClaimStep, AHumansCordonIsRecordedAsNotOurs) {
  ClaimingWorld world;
  world.cluster.edit_node(node_name(1), [](Node& node) { node.unschedulable = true; });
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  EXPECT_FALSE(world.claim_on_node().cordoned);
  EXPECT_TRUE(world.claim_on_node().tainted);
  EXPECT_FALSE(world.cluster.patches.front().unschedulable);
}

TEST(ClaimStep, ACordonWhoseAnswerWasLostIsStillOurs) {
  ClaimingWorld world;
  world.script.lose_answer("cluster.patch_node", 1);
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  EXPECT_TRUE(world.claim_on_node().cordoned);
  EXPECT_TRUE(world.claim_on_node().tainted);
}

TEST(ClaimStep, LaterWritesKeepWhatTheFirstRecorded) {
  ClaimingWorld world;
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  world.step.add(terminate_event(1, "backup-hook"), world.message("n"));
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  const Claim claim = world.claim_on_node();
  EXPECT_TRUE(claim.cordoned && claim.tainted);
  EXPECT_EQ(claim.events.size(), 2U);
  EXPECT_EQ(world.node().taints.size(), 1U);
  EXPECT_EQ(world.metrics.messages[MessageOutcome::claimed].value(), 2U);
}

TEST(ClaimStep, AnEventThatJoinsDuringTheWriteWaitsForTheNext) {
  ClaimingWorld world;
  world.script.set_latency("cluster.patch_node", 2s);
  world.step.add(terminate_event(1), world.message("m"));
  world.calls.spawn("persist", [](ClaimStep& step, Deadline deadline) -> Task<void> {
    (void)co_await step.persist(deadline);
  }(world.step, world.within(1min)));
  world.sim.clock.advance(1s);
  world.step.add(terminate_event(1, "backup-hook"), world.message("n"));
  world.sim.clock.advance(3s);
  EXPECT_EQ(world.metrics.messages[MessageOutcome::claimed].value(), 1U);
  EXPECT_TRUE(world.step.has_unwritten());
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  EXPECT_EQ(world.metrics.messages[MessageOutcome::claimed].value(), 2U);
  EXPECT_FALSE(world.step.has_unwritten());
}

TEST(ClaimStep, TheSameEventAgainIsKeptOnceAndBothMessagesAreSettled) {
  ClaimingWorld world;
  world.step.add(terminate_event(1), world.message("m"));
  world.step.add(terminate_event(1), world.message("n"));
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  world.step.add(terminate_event(1), world.message("o"));
  EXPECT_EQ(world.claim_on_node().events.size(), 1U);
  EXPECT_EQ(world.metrics.messages[MessageOutcome::claimed].value(), 3U);
}

TEST(ClaimStep, ANodeOfTheSameNameWithAnotherUidIsNotTouched) {
  ClaimingWorld world;
  world.cluster.watch_works = false;
  Node other = test::node_of(1);
  other.uid = Uid("another");
  world.cluster.add_node(other);
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(), ClaimWrite::node_gone);
  EXPECT_FALSE(world.node().unschedulable);
  EXPECT_TRUE(world.cluster.patches.empty());
}

TEST(ClaimStep, ANodeThatDisappearedIsGone) {
  ClaimingWorld world;
  world.cluster.remove_node(node_name(1));
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(), ClaimWrite::node_gone);
  EXPECT_EQ(world.held.size(), 1U);
}

TEST(ClaimStep, AnApiServerThatIsAwayIsWaitedForUntilTheDeadline) {
  ClaimingWorld world;
  world.script.fail("cluster.patch_node", Error(Fault::transport, "connection refused"));
  world.script.fail("cluster.read_node", Error(Fault::transport, "connection refused"));
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(10min), ClaimWrite::too_late);
  EXPECT_LE(world.elapsed(), 10min);
  EXPECT_GT(world.elapsed(), 9min);
  EXPECT_EQ(world.held.size(), 1U);
  world.step.settle_rest(MessageOutcome::interrupted);
  EXPECT_EQ(world.held.size(), 0U);
}

TEST(ClaimStep, ClosingWritesTheEndAndStopsAtItsDeadline) {
  ClaimingWorld world;
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(), ClaimWrite::durable);
  world.sim.run(world.step.close(world.within(30s)));
  EXPECT_TRUE(world.claim_on_node().closed);

  world.script.hang("cluster.read_node");
  const SteadyTime before = world.sim.clock.now();
  world.sim.run(world.step.close(world.within(30s)));
  EXPECT_LE(world.sim.clock.now() - before, 30s);
}

TEST(ClaimStep, AClaimWithoutANodeClosesWithoutACall) {
  ClaimingWorld world;
  world.sim.run(world.step.close(world.within(30s)));
  EXPECT_TRUE(world.script.calls().empty());
}

TEST(ClaimStep, AMissingRightIsNamedOnceAndTheMessageStaysHeld) {
  ClaimingWorld world;
  world.script.fail("cluster.patch_node", Error(Fault::denied, "Forbidden", "cannot patch resource nodes"));
  world.step.add(terminate_event(1), world.message("m"));
  EXPECT_EQ(world.persist(), ClaimWrite::denied);
  EXPECT_EQ(world.persist(), ClaimWrite::denied);
  EXPECT_EQ(world.sim.logs.with("claim.denied").size(), 1U);
  EXPECT_TRUE(world.step.has_unwritten());
  EXPECT_EQ(world.step.node().name, node_name(1));
}

}  // namespace
}  // namespace ferryman::termination::steps
