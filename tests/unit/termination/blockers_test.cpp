// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/blockers.h"

#include <gtest/gtest.h>

#include "termination/drain/budget_room.h"
#include "unit/termination/fakes/fake_pod.h"

namespace ferryman::termination::drain {
namespace {

using namespace std::chrono_literals;
using test::FakePod;

Pod web_pod() {
  Pod pod = FakePod("web-1", "n").pod;
  pod.labels["app"] = "web";
  return pod;
}

Budget budget(const std::string& name, int healthy, int desired, int expected) {
  Budget budget;
  budget.budget_namespace = "shop";
  budget.name = name;
  budget.resource_version = "1";
  budget.selector = *parse_label_selector("app=web");
  budget.counted = true;
  budget.healthy = healthy;
  budget.desired = desired;
  budget.expected = expected;
  budget.allowed = std::max(0, healthy - desired);
  return budget;
}

TEST(Blockers, OneReplicaThatMustStayNeverGoes) {
  const Blocker blocker = explain_block(web_pod(), {budget("web", 1, 1, 1)}, false);
  EXPECT_TRUE(blocker.never);
  EXPECT_EQ(blocker.budgets, "shop/web");
  EXPECT_EQ(
      in_words(blocker),
      "budget shop/web: it needs 1 of 1 pods healthy and so never lets one go; run a second replica, or "
      "set maxUnavailable: 1");
}

TEST(Blockers, TooFewAtTheMomentIsAMatterOfTime) {
  const Blocker blocker = explain_block(web_pod(), {budget("web", 3, 3, 4)}, false);
  EXPECT_FALSE(blocker.never);
  EXPECT_EQ(in_words(blocker), "budget shop/web: 3 pods are healthy and 3 must stay");
}

TEST(Blockers, TwoBudgetsAreNamedBoth) {
  const Blocker blocker = explain_block(web_pod(), {budget("all", 9, 3, 9), budget("web", 3, 2, 3)}, true);
  EXPECT_TRUE(blocker.never);
  EXPECT_EQ(blocker.budgets, "shop/all, shop/web");
  EXPECT_NE(in_words(blocker).find("leave one of the budgets"), std::string::npos);
}

TEST(Blockers, ACrashLoopingPodUsesItsBudgetUpAndItsOwnerCanAllowIt) {
  Pod pod = web_pod();
  pod.crash_looping = true;
  pod.unready_since = WallTime(1h);
  const Blocker blocker = explain_block(pod, {budget("web", 1, 2, 3)}, false);
  EXPECT_TRUE(blocker.never);
  EXPECT_NE(blocker.cure.find("unhealthyPodEvictionPolicy: AlwaysAllow"), std::string::npos);
  pod.crash_looping = false;
  EXPECT_FALSE(explain_block(pod, {budget("web", 1, 2, 3)}, false).never) << "it may become ready";
}

TEST(Blockers, BudgetsOfOtherNamespacesAndPodsAreNotMeant) {
  Budget elsewhere = budget("web", 1, 1, 1);
  elsewhere.budget_namespace = "bank";
  Budget others = budget("db", 1, 1, 1);
  others.selector = *parse_label_selector("app=db");
  EXPECT_EQ(in_words(explain_block(web_pod(), {elsewhere, others}, false)), "a budget");
}

TEST(BudgetRoom, EachPlaceIsGivenOnceUntilTheBudgetChanges) {
  BudgetRoom room;
  std::vector<Budget> budgets{budget("web", 5, 3, 5)};
  EXPECT_TRUE(room.take(web_pod(), budgets));
  EXPECT_TRUE(room.take(web_pod(), budgets));
  EXPECT_FALSE(room.take(web_pod(), budgets));
  budgets[0].resource_version = "2";
  budgets[0].allowed = 1;
  EXPECT_TRUE(room.take(web_pod(), budgets));
  EXPECT_FALSE(room.take(web_pod(), budgets));
}

TEST(BudgetRoom, ABudgetThatIsNotCountedYetHasNone) {
  BudgetRoom room;
  std::vector<Budget> budgets{budget("web", 5, 3, 5)};
  budgets[0].counted = false;
  EXPECT_FALSE(room.take(web_pod(), budgets));
}

}  // namespace
}  // namespace ferryman::termination::drain
