// SPDX-License-Identifier: Apache-2.0
// What all drains share of the cluster: DaemonSets and budgets.
#include <gtest/gtest.h>

#include "termination/budget_watch.h"
#include "termination/daemon_sets.h"
#include "unit/termination/world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;

class ViewsWorld : public test::World {
 public:
  std::shared_ptr<const std::set<std::string>> sets() { return sim.run(daemon_sets.get(within(10s))); }
  std::shared_ptr<BudgetView> budgets() { return sim.run(watch.hold(within(10s))); }
  [[nodiscard]] std::size_t warnings(std::string_view event) const {
    std::size_t count = 0;
    for (const std::string& line : sim.logs.with(event)) count += line.find("warn") != std::string::npos;
    return count;
  }
  Task<void> hold(std::vector<std::shared_ptr<BudgetView>>& held) {
    held.push_back(co_await watch.hold(within(10s)));
  }

  DaemonSets daemon_sets{context, cluster};
  BudgetWatch watch{context, cluster};
};

TEST(DaemonSets, OneListServesAllForHalfAMinute) {
  ViewsWorld world;
  world.cluster.known_daemon_sets = {"ops/log"};
  for (int i = 0; i < 50; ++i) ASSERT_EQ(*world.sets(), std::set<std::string>{"ops/log"});
  EXPECT_EQ(world.script.count("cluster.daemon_sets"), 1U);
  world.cluster.known_daemon_sets.clear();
  world.sim.clock.advance(31s);
  EXPECT_TRUE(world.sets()->empty());
}

TEST(DaemonSets, WithoutTheRightTheyAreUnknownAndThatIsSaidOnce) {
  ViewsWorld world;
  world.script.fail("cluster.daemon_sets", Error(Fault::denied, "Forbidden", "cannot list daemonsets"));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(world.sets(), nullptr);
    world.sim.clock.advance(10s);
  }
  EXPECT_EQ(world.script.count("cluster.daemon_sets"), 1U);
  EXPECT_EQ(world.warnings("daemon_sets.unknown"), 1U);
  EXPECT_EQ(world.sim.logs.with("allow list on daemonsets").size(), 1U);
}

// A DaemonSet that is younger than the answer would look like one that was deleted.
TEST(DaemonSets, AnOldAnswerIsNoneAtAll) {
  ViewsWorld world;
  world.cluster.known_daemon_sets = {"ops/log"};
  ASSERT_NE(world.sets(), nullptr);
  world.script.fail("cluster.daemon_sets", Error(Fault::transport, "reset"));
  world.sim.clock.advance(60s);
  EXPECT_NE(world.sets(), nullptr);
  world.sim.clock.advance(100s);
  EXPECT_EQ(world.sets(), nullptr);
  world.script.heal("cluster.daemon_sets");
  world.sim.clock.advance(10s);
  EXPECT_NE(world.sets(), nullptr);
}

TEST(BudgetWatch, AllDrainsHoldOneViewThatEndsWithTheLast) {
  ViewsWorld world;
  std::vector<std::shared_ptr<BudgetView>> held;
  for (int i = 0; i < 50; ++i) world.calls.spawn("drain", world.hold(held));
  world.sim.clock.advance(1s);
  ASSERT_EQ(held.size(), 50U);
  EXPECT_EQ(world.script.count("cluster.view_budgets"), 1U);
  EXPECT_EQ(held.front(), held.back());
  const std::weak_ptr<BudgetView> seen = held.front();
  held.clear();
  EXPECT_TRUE(seen.expired());
  EXPECT_NE(world.budgets(), nullptr);
  EXPECT_EQ(world.script.count("cluster.view_budgets"), 2U);
}

TEST(BudgetWatch, AChangeIsSeenAndTold) {
  ViewsWorld world;
  const auto view = world.budgets();
  const std::uint64_t before = view->changed().version();
  Budget budget;
  budget.name = "web";
  budget.allowed = 3;
  world.cluster.set_budgets({budget});
  EXPECT_GT(view->changed().version(), before);
  ASSERT_EQ(view->budgets().size(), 1U);
  EXPECT_EQ(view->budgets()[0].allowed, 3);
}

TEST(BudgetWatch, WithoutTheRightThereIsNoneAndThatIsSaidOnce) {
  ViewsWorld world;
  world.script.fail("cluster.view_budgets", Error(Fault::denied, "Forbidden", "cannot list"));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(world.budgets(), nullptr);
    world.sim.clock.advance(10s);
  }
  EXPECT_EQ(world.script.count("cluster.view_budgets"), 1U);
  EXPECT_EQ(world.warnings("budgets.unknown"), 1U);
  world.script.heal("cluster.view_budgets");
  world.sim.clock.advance(10min);
  EXPECT_NE(world.budgets(), nullptr);
}

// A token that has just run out is replaced by the next call.
TEST(BudgetWatch, AStaleTokenIsNoMissingRight) {
  ViewsWorld world;
  world.script.fail("cluster.view_budgets", Error(Fault::denied, "Unauthorized", "Unauthorized"), 1);
  EXPECT_EQ(world.budgets(), nullptr);
  world.sim.clock.advance(6s);
  EXPECT_NE(world.budgets(), nullptr);
}

TEST(BudgetWatch, AHangingServerHoldsUpNobodyPastItsDeadline) {
  ViewsWorld world;
  world.script.hang("cluster.view_budgets");
  EXPECT_EQ(world.budgets(), nullptr);
  EXPECT_EQ(world.elapsed(), 10s);
}

}  // namespace
}  // namespace ferryman::termination
