// SPDX-License-Identifier: Apache-2.0
#include "termination/ownership.h"

#include <gtest/gtest.h>

#include "unit/termination/world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::instance;
using test::terminate_event;

class OwnersWorld : public test::World {
 public:
  Owner owner(const Event& event, int releases = 0) { return sim.run(ownership.decide(event, releases)); }
  static Event spot(int n) {
    Event event = terminate_event(n);
    event.kind = EventKind::spot_interruption;
    event.action.reset();
    return event;
  }

  AwsFacts facts{context, cloud, calls};
  Ownership ownership{context, cluster, facts};
};

TEST(Ownership, ANodeMakesItOursWithoutACall) {
  OwnersWorld world;
  world.policy.cluster_name = "blue";
  world.cluster.add_node(test::node_of(1));
  EXPECT_EQ(world.owner(terminate_event(1)), Owner::ours);
  EXPECT_TRUE(world.script.calls().empty());
}

TEST(Ownership, WithoutADiscriminatorNothingIsSaidAndNobodyAsked) {
  OwnersWorld world;
  EXPECT_EQ(world.owner(terminate_event(1)), Owner::undecided);
  EXPECT_TRUE(world.script.calls().empty());
}

TEST(Ownership, TheClustersTagMakesItOursOnTheInstanceOrItsGroup) {
  using Tags = test::FakeCloud::Tags;
  for (const Tags& tags :
       {Tags{{"kubernetes.io/cluster/blue", "shared"}}, Tags{{"eks:cluster-name", "blue"}}}) {
    for (const bool on_instance : {true, false}) {
      OwnersWorld world;
      world.policy.cluster_name = "blue";
      if (on_instance) world.cloud.tags_of_instances[instance(1)] = tags;
      if (!on_instance) world.cloud.tags_of_groups[test::group] = tags;
      EXPECT_EQ(world.owner(terminate_event(1)), Owner::ours);
      EXPECT_EQ(world.script.count("cloud.group_tags"), on_instance ? 0U : 1U);
    }
  }
}

TEST(Ownership, AnotherClustersInstanceIsForeign) {
  OwnersWorld world;
  world.policy.cluster_name = "blue";
  world.cloud.tags_of_instances[instance(1)] = {{"kubernetes.io/cluster/green", "owned"},
                                                {"eks:cluster-name", "green"}};
  EXPECT_EQ(world.owner(terminate_event(1)), Owner::foreign);
}

TEST(Ownership, TheManagedTagCountsWithItsValueOnly) {
  for (const bool right : {true, false}) {
    OwnersWorld world;
    world.policy.managed_tag = KeyValue("ferryman", "blue");
    world.cloud.tags_of_instances[instance(1)] = {{"ferryman", right ? "blue" : "green"}};
    EXPECT_EQ(world.owner(terminate_event(1)), right ? Owner::ours : Owner::foreign);
  }
}

TEST(Ownership, ABareTagNarrowsAndNeverMakesItOurs) {
  for (const bool has_node : {true, false}) {
    for (const bool has_tag : {true, false}) {
      OwnersWorld world;
      world.policy.require_tag = KeyValue("managed", std::nullopt);
      if (has_node) world.cluster.add_node(test::node_of(1));
      if (has_tag) world.cloud.tags_of_groups[test::group] = {{"managed", ""}};
      const Owner expected = !has_node ? Owner::undecided : has_tag ? Owner::ours : Owner::not_managed;
      EXPECT_EQ(world.owner(terminate_event(1)), expected) << has_node << has_tag;
    }
  }
}

TEST(Ownership, AnotherSystemsNodeIsLeftToIt) {
  OwnersWorld world;
  world.policy.skip_labels = {KeyValue("karpenter.sh/nodepool", std::nullopt), KeyValue("type", "auto")};
  Node node = test::node_of(1);
  node.labels["karpenter.sh/nodepool"] = "default";
  world.cluster.add_node(node);
  Node other = test::node_of(2);
  other.labels["type"] = "manual";
  world.cluster.add_node(other);
  EXPECT_EQ(world.owner(terminate_event(1)), Owner::another_system);
  EXPECT_EQ(world.owner(terminate_event(2)), Owner::ours);
}

TEST(Ownership, WhileTheCacheIsNotInSyncThereIsNoVerdict) {
  OwnersWorld world;
  world.policy.cluster_name = "blue";
  world.cluster.synced = false;
  EXPECT_EQ(world.owner(terminate_event(1)), Owner::unknown);
  EXPECT_TRUE(world.script.calls().empty());
}

TEST(Ownership, AQueueOfOurOwnMakesHooksOursButNotEc2sEvents) {
  OwnersWorld world;
  world.policy.queue_mode = QueueMode::exclusive;
  EXPECT_EQ(world.owner(terminate_event(1)), Owner::ours);
  EXPECT_EQ(world.owner(OwnersWorld::spot(2)), Owner::foreign);
}

TEST(Ownership, AHookOfAnotherClusterInAQueueOfOurOwnIsForeign) {
  OwnersWorld world;
  world.policy.queue_mode = QueueMode::exclusive;
  world.cluster.add_node(test::node_of(1));
  world.cloud.tags_of_instances[instance(1)] = {{"kubernetes.io/cluster/blue", "owned"}};
  world.cloud.tags_of_instances[instance(2)] = {{"kubernetes.io/cluster/green", "owned"}};
  world.cloud.tags_of_instances[instance(3)] = {{"kubernetes.io/cluster/blue", "owned"}};
  EXPECT_EQ(world.owner(terminate_event(2)), Owner::foreign);
  EXPECT_EQ(world.owner(terminate_event(3)), Owner::ours);
}

TEST(Ownership, WhatEc2CannotSayIsNotSaid) {
  for (const Fault fault : {Fault::denied, Fault::transport}) {
    OwnersWorld world;
    world.policy.cluster_name = "blue";
    world.script.fail("cloud.instances", Error(fault, "X", "no"));
    EXPECT_EQ(world.owner(terminate_event(1)), fault == Fault::denied ? Owner::undecided : Owner::unknown);
    EXPECT_EQ(world.owner(terminate_event(2)), fault == Fault::denied ? Owner::undecided : Owner::unknown);
    EXPECT_EQ(world.sim.logs.with("warn  ownership.not_asked").size(), fault == Fault::denied ? 1U : 0U);
  }
}

TEST(Ownership, AnInstanceThatIsGoneBecomesNobodysOnlyAfterItsOwnerHadItsChance) {
  OwnersWorld world;
  world.policy.cluster_name = "blue";
  world.cloud.set_instance(instance(1), "terminated");
  EXPECT_EQ(world.owner(terminate_event(1), 5), Owner::foreign);
  EXPECT_EQ(world.owner(terminate_event(1), 6), Owner::nobody);
}

Task<void> ask(OwnersWorld& world, int n, int& ours) {
  const Owner owner = co_await world.ownership.decide(OwnersWorld::spot(n), 0);
  if (owner == Owner::foreign) ++ours;
}

TEST(Ownership, ThoseAskedForTogetherShareACallAndARepeatCostsNone) {
  OwnersWorld world;
  world.policy.cluster_name = "blue";
  int foreign = 0;
  for (int n = 1; n <= 450; ++n) world.calls.spawn("ask", ask(world, n, foreign));
  world.sim.clock.advance(1s);
  EXPECT_EQ(foreign, 450);
  EXPECT_EQ(world.script.count("cloud.instances"), 3U);
  for (int n = 1; n <= 450; ++n) EXPECT_EQ(world.ownership.known(OwnersWorld::spot(n), 1), Owner::foreign);
}

}  // namespace
}  // namespace ferryman::termination
