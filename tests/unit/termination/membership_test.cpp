// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/membership.h"

#include <gtest/gtest.h>

#include "unit/termination/index_world.h"

namespace ferryman::termination::balancers {
namespace {

using namespace std::chrono_literals;
using test::FakeBalancers;
using test::IndexWorld;
using test::instance;

TEST(LoadBalancerIndex, OnceWarmItKnowsWithoutReadingAnyGroup) {
  IndexWorld world;
  world.add_groups(450, 12);
  world.start();
  EXPECT_EQ(world.reads(), 450U);
  const SteadyTime before = world.sim.clock.now();
  const Found found = world.find(world.sought());
  EXPECT_EQ(found.registrations.size(), 12U);
  EXPECT_TRUE(found.unread.empty());
  EXPECT_EQ(world.reads(), 450U);
  EXPECT_LT(world.sim.clock.now() - before, 1s);  // but for the list of groups
}

TEST(LoadBalancerIndex, ItIsKeptFreshByAtMostACallASecond) {
  IndexWorld world;
  world.add_groups(450, 12);
  world.start();
  const std::size_t warm = world.script.calls().size();
  world.sim.clock.advance(30min);
  const std::size_t calls = world.script.calls().size() - warm;
  EXPECT_LE(calls, std::size_t{30 * 60});
  EXPECT_GE(world.reads(), std::size_t{450 + 2 * 450});
}

TEST(LoadBalancerIndex, AFewGroupsCostAFewCalls) {
  IndexWorld world;
  world.add_groups(6, 6);
  world.start();
  world.sim.clock.advance(30min);
  EXPECT_LE(world.reads(), 6U * 4U);
}

TEST(LoadBalancerIndex, NarrowedByTagsItReadsTheClustersOwnGroupsOnly) {
  IndexWorld world;
  world.policy.target_group_tags = {KeyValue("elbv2.k8s.aws/cluster", "shop")};
  world.add_groups(450, 12);
  for (int i = 0; i < 450; ++i)
    world.balancers.set_tags(IndexWorld::name(i), {{"elbv2.k8s.aws/cluster", i < 12 ? "shop" : "other"}});
  world.start();
  EXPECT_EQ(world.reads(), 12U);
  EXPECT_EQ(world.script.count("balancers.tags"), 23U);  // 20 groups a call
  EXPECT_EQ(world.find(world.sought()).registrations.size(), 12U);
  EXPECT_EQ(world.script.count("balancers.tags"), 23U);  // known for a while
}

TEST(LoadBalancerIndex, TagsOfMoreGroupsThanOneCallsTimeServesAreReadAllTheSame) {
  IndexWorld world;
  world.policy.target_group_tags = {KeyValue("ours", std::nullopt)};
  world.add_groups(1500, 2);
  for (int i = 0; i < 2; ++i) world.balancers.set_tags(IndexWorld::name(i), {{"ours", ""}});
  world.script.set_latency("balancers.tags", 300ms);  // 75 calls take longer than the time limit of one
  world.start();
  EXPECT_EQ(world.reads(), 2U);
  EXPECT_TRUE(world.sim.logs.with("target_group_tags.not_read").empty());
}

TEST(LoadBalancerIndex, BindingsThatCannotBeReadAgainAreNamedAgain) {
  IndexWorld world;
  world.policy.target_group_bindings = true;
  const Error outage(Fault::unexpected, "InternalError", "etcd has no leader");
  world.add_groups(20, 2);
  for (int i = 0; i < 2; ++i) world.cluster.bindings.emplace_back("shop", IndexWorld::arn(i));
  for (int n = 1; n <= 2; ++n) {
    world.script.fail("cluster.bindings", outage);
    if (n == 1) world.start();
    world.sim.clock.advance(30min);
    EXPECT_EQ(world.sim.logs.with("warn  bindings.not_read").size(), static_cast<std::size_t>(n));
    world.script.heal("cluster.bindings");
    world.sim.clock.advance(30min);
  }
}

TEST(LoadBalancerIndex, NarrowedByBindingsItReadsTheClustersOwnGroupsOnly) {
  IndexWorld world;
  world.policy.target_group_bindings = true;
  world.add_groups(450, 12);
  for (int i = 0; i < 12; ++i) world.cluster.bindings.emplace_back("shop", IndexWorld::arn(i));
  world.start();
  EXPECT_EQ(world.reads(), 12U);
  EXPECT_EQ(world.find(world.sought()).registrations.size(), 12U);
}

TEST(LoadBalancerIndex, AClusterWithoutBindingsHasNoGroupsOfItsOwn) {
  IndexWorld world;
  world.policy.target_group_bindings = true;
  world.add_groups(20, 2);
  world.start();
  EXPECT_EQ(world.reads(), 0U);
  EXPECT_TRUE(world.find(world.sought()).unread.empty());
}

TEST(LoadBalancerIndex, BindingsThatMayNotBeReadNarrowNothingAndAreNamed) {
  IndexWorld world;
  world.policy.target_group_bindings = true;
  world.script.fail("cluster.bindings", Error(Fault::denied, "Forbidden", "cannot list targetgroupbindings"));
  world.add_groups(20, 2);
  world.start();
  EXPECT_EQ(world.find(world.sought()).registrations.size(), 2U);
  EXPECT_EQ(world.sim.logs.with("warn  bindings.not_read").size(), 1U);
}

TEST(LoadBalancerIndex, ATagThatNoGroupCarriesIsNamedAndNarrowsNothing) {
  IndexWorld world;
  world.policy.target_group_tags = {KeyValue("mistyped", std::nullopt)};
  world.add_groups(20, 2);
  world.start();
  EXPECT_EQ(world.find(world.sought()).registrations.size(), 2U);
  EXPECT_EQ(world.sim.logs.with("target_groups.none_tagged").size(), 1U);
}

TEST(LoadBalancerIndex, AGroupThatVanishesMeanwhileSpoilsNoOthersTags) {
  IndexWorld world;
  world.policy.target_group_tags = {KeyValue("ours", std::nullopt)};
  world.add_groups(20, 20);
  for (int i = 0; i < 3; ++i) world.balancers.set_tags(IndexWorld::name(i), {{"ours", ""}});
  world.script.set_latency("balancers.groups", 1s);
  world.scans.spawn("index", world.membership.run());
  world.sim.clock.advance(1010ms);
  world.balancers.remove(IndexWorld::arn(7));  // listed, and gone when its tags are asked for
  world.script.set_latency("balancers.groups", 5ms);
  world.sim.clock.advance(1min);
  EXPECT_EQ(world.reads(), 3U);
}

TEST(LoadBalancerIndex, OnlyGroupsOfTheVpcsAndTypesThatWereNamedAreRead) {
  IndexWorld world;
  world.policy.target_group_vpcs = {"vpc-2"};
  world.add_groups(20, 20);
  for (int i = 0; i < 5; ++i)
    world.balancers.set_facts(IndexWorld::name(i), [](TargetGroup& group) { group.vpc = "vpc-2"; });
  world.balancers.set_facts(IndexWorld::name(0), [](TargetGroup& group) { group.target_type = "lambda"; });
  world.start();
  EXPECT_EQ(world.reads(), 4U);
}

TEST(LoadBalancerIndex, AGroupThatIsNewIsReadOnDemand) {
  IndexWorld world;
  world.add_groups(30, 2);
  world.start();
  world.balancers.add_group("new", BalancerType::network, 30s);
  world.balancers.put(FakeBalancers::arn("new"), instance(1), 443);
  const Found found = world.find(world.sought());
  EXPECT_EQ(found.registrations.size(), 3U);
  EXPECT_EQ(world.reads(), 31U);
}

TEST(LoadBalancerIndex, ANodeYoungerThanTheAnswersIsLookedForAnewInItsClustersGroupsFirst) {
  IndexWorld world;
  world.add_groups(100, 3);
  world.start();
  world.balancers.put(IndexWorld::arn(2), instance(2), 80);
  world.script.set_latency("balancers.health", 1s);
  Sought sought = world.sought(2);
  sought.read_since = world.sim.clock.now();
  const Found soon = world.sim.run(world.membership.of(sought, world.within(3s)));
  EXPECT_EQ(soon.registrations.size(), 1U);
  EXPECT_FALSE(soon.unread.empty());
  const Found all = world.find(sought);
  EXPECT_TRUE(all.unread.empty());
  EXPECT_EQ(world.reads(), 200U);
}

TEST(LoadBalancerIndex, AllWhoAskAtOnceShareTheAnswers) {
  IndexWorld world;
  world.add_groups(40, 40);
  world.start();
  std::size_t answered = 0;
  for (int n = 1; n <= 50; ++n) {
    Sought sought = world.sought(n);
    sought.read_since = world.sim.clock.now();
    world.sim.scope.spawn("asks", [](IndexWorld& w, Sought s, std::size_t& count) -> Task<void> {
      const Found found = co_await w.membership.of(std::move(s), w.within(1min));
      count += found.unread.empty() ? 1 : 0;
    }(world, std::move(sought), answered));
  }
  world.sim.clock.advance(1min);
  EXPECT_EQ(answered, 50U);
  EXPECT_LE(world.reads(), 81U);
}

TEST(LoadBalancerIndex, GroupsOfAddressesThatNobodyAsksForAreNeverRead) {
  IndexWorld world;
  world.add_groups(4, 2);
  world.balancers.add_group("pods", BalancerType::application, 30s);
  world.balancers.set_facts("pods", [](TargetGroup& group) { group.target_type = "ip"; });
  world.start();
  (void)world.find(world.sought());
  for (const auto& call : world.script.calls_of("balancers.health"))
    EXPECT_NE(call.what, FakeBalancers::arn("pods"));
  EXPECT_FALSE(world.membership.has_addresses());
}

TEST(LoadBalancerIndex, AClassicBalancerIsRememberedForThoseThatItNoLongerLists) {
  IndexWorld world;
  world.balancers.add_classic("old", 300s);
  world.balancers.put("old", instance(1));
  world.start();
  std::vector<InstanceId> leaving{instance(1)};
  ASSERT_TRUE(world.sim.run(world.balancers.classic_deregister("old", leaving, world.within(5s))));
  const Found found = world.find(world.sought());
  EXPECT_TRUE(found.registrations.empty());
  EXPECT_EQ(world.membership.index().left_classic(instance(1)).size(), 1U);
}

}  // namespace
}  // namespace ferryman::termination::balancers
