// SPDX-License-Identifier: Apache-2.0
#include "kube/budget_cache.h"

#include <gtest/gtest.h>

#include "unit/kube/kube_fixture.h"

namespace ferryman::test {

using std::chrono::seconds;
using termination::Budget;
using termination::BudgetView;

namespace {

constexpr auto path = "/apis/policy/v1/poddisruptionbudgets";

json::object budget(const std::string& name, std::int64_t allowed) {
  json::object labels{{"app", name}};
  return {{"metadata", json::object{{"name", name}, {"namespace", "shop"}, {"generation", 1}}},
          {"spec", json::object{{"selector", json::object{{"matchLabels", std::move(labels)}}}}},
          {"status", json::object{{"disruptionsAllowed", allowed}, {"observedGeneration", 1}}}};
}

class BudgetFixture : public KubeFixture {
 public:
  std::shared_ptr<BudgetView> view() {
    auto seen = sim.run(cluster->view_budgets(soon()));
    EXPECT_TRUE(seen.ok());
    return seen ? *seen : nullptr;
  }
  void put(const std::string& name, std::int64_t allowed) {
    server.put("poddisruptionbudgets", budget(name, allowed));
  }
};

}  // namespace

TEST(BudgetCache, NobodyAsksForBudgetsWhileNobodyLooks) {
  BudgetFixture kube;
  kube.put("web", 1);
  kube.start(std::chrono::minutes{10});
  EXPECT_TRUE(kube.server.requests("GET", path).empty());
}

TEST(BudgetCache, AViewFollowsEveryChange) {
  BudgetFixture kube;
  kube.put("web", 1);
  kube.start();
  const auto view = kube.view();
  ASSERT_EQ(view->budgets().size(), 1U);
  EXPECT_EQ(view->budgets()[0].allowed, 1);
  kube.pass(seconds{1});
  const std::uint64_t before = view->changed().version();
  kube.put("web", 0);
  kube.put("api", 2);
  kube.pass(seconds{1});
  EXPECT_GT(view->changed().version(), before);
  ASSERT_EQ(view->budgets().size(), 2U);
  EXPECT_EQ(view->budgets()[0].name, "api");
  EXPECT_EQ(view->budgets()[1].allowed, 0);
  kube.server.remove("poddisruptionbudgets", "shop/web");
  kube.pass(seconds{1});
  ASSERT_EQ(view->budgets().size(), 1U);
  EXPECT_EQ(view->budgets()[0].name, "api");
}

TEST(BudgetCache, AllWhoLookShareOneListAndOneWatchWhichEndsWithThem) {
  BudgetFixture kube;
  kube.put("web", 1);
  kube.start();
  auto first = kube.view();
  auto second = kube.view();
  EXPECT_EQ(first, second);
  kube.pass(seconds{10});
  EXPECT_EQ(kube.server.lists(path), 1U);
  EXPECT_EQ(kube.server.watches(path), 1U);
  first.reset();
  second.reset();
  kube.pass(seconds{10});
  const std::size_t asked = kube.server.requests("GET", path).size();
  kube.pass(std::chrono::minutes{10});
  EXPECT_EQ(kube.server.requests("GET", path).size(), asked);
}

TEST(BudgetCache, WhatHappenedBetweenTwoViewsIsSeen) {
  BudgetFixture kube;
  kube.put("web", 1);
  kube.start();
  kube.view();
  kube.pass(seconds{1});
  kube.put("web", 5);
  kube.pass(std::chrono::minutes{1});
  const auto view = kube.view();
  EXPECT_EQ(view->budgets()[0].allowed, 5);
  kube.put("web", 6);
  kube.pass(seconds{10});
  EXPECT_EQ(view->budgets()[0].allowed, 6);
}

TEST(BudgetCache, AnExpiredWatchIsFollowedByAList) {
  BudgetFixture kube;
  kube.put("web", 1);
  kube.start();
  const auto view = kube.view();
  kube.pass(seconds{5});
  kube.server.hold_watches = true;
  kube.put("web", 7);
  kube.put("web", 3);
  kube.server.compact();
  kube.server.hold_watches = false;
  kube.server.cut_watches();
  kube.pass(seconds{30});
  ASSERT_EQ(view->budgets().size(), 1U);
  EXPECT_EQ(view->budgets()[0].allowed, 3);
  EXPECT_GE(kube.server.lists(path), 2U);
}

TEST(BudgetCache, WithoutTheRightItIsDenied) {
  BudgetFixture kube;
  kube.start();
  kube.server.intercept = [](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (request.url.find("poddisruptionbudgets") == std::string::npos) return std::nullopt;
    return net::HttpReply(FakeApiServer::status(403, "Forbidden", "cannot list poddisruptionbudgets"));
  };
  const auto view = kube.sim.run(kube.cluster->view_budgets(kube.soon()));
  ASSERT_FALSE(view.ok());
  EXPECT_EQ(view.error().fault, Fault::denied);
  EXPECT_NE(view.error().text.find("listing PodDisruptionBudgets"), std::string::npos);
}

}  // namespace ferryman::test
