// SPDX-License-Identifier: Apache-2.0
#include "termination/voluntary_limit.h"

#include <gtest/gtest.h>

#include "termination/claim.h"
#include "unit/termination/world.h"

namespace ferryman::termination {
namespace {

using test::instance;
using test::node_name;

class LimitWorld : public test::World {
 public:
  LimitWorld() {
    policy.group_labels = {"group"};
    policy.voluntary_share = 10;
  }
  void add(int from, int to, const std::string& group, const std::string& zone) {
    for (int n = from; n <= to; ++n) {
      Node node = test::node_of(n);
      if (!group.empty()) node.labels["group"] = group;
      node.zone = zone;
      cluster.add_node(std::move(node));
    }
  }
  int admitted(int from, int to) {
    int count = 0;
    for (int n = from; n <= to; ++n) count += limit.admit(cluster.node(node_name(n))) ? 1 : 0;
    return count;
  }
  /// A voluntary end that an earlier run began.
  void begun(int n) {
    Claim claim;
    claim.events = {test::terminate_event(n)};
    claim.events[0].kind = EventKind::rebalance_recommendation;
    claim.events[0].action.reset();
    claim.steps = {"cordon"};
    cluster.edit_node(node_name(n), [&](Node& node) { node.claim = encode(claim); });
  }

  VoluntaryLimit limit{context, cluster};
};

TEST(VoluntaryLimit, OfAZoneOnlyItsShareIsOutThoughGroupsAndClusterHaveRoom) {
  LimitWorld world;
  world.add(1, 20, "a", "west-1");
  world.add(21, 60, "b", "west-2");
  world.add(61, 100, "c", "west-1");
  // Groups: 2, 4 and 4; the cluster: 10; west-1 with 60 nodes: 6; west-2 with 40: 4.
  EXPECT_EQ(world.admitted(61, 100), 4);
  EXPECT_EQ(world.admitted(1, 20), 2);
  EXPECT_EQ(world.admitted(21, 60), 4);
}

TEST(VoluntaryLimit, ASmallZoneHoldsBackAGroupThatSpansZones) {
  LimitWorld world;
  world.add(1, 90, "a", "west-1");
  world.add(91, 100, "a", "west-2");
  EXPECT_EQ(world.admitted(91, 100), 1);
  EXPECT_EQ(world.admitted(1, 90), 9);
}

TEST(VoluntaryLimit, ANodeWithoutZoneCountsInGroupAndCluster) {
  LimitWorld world;
  world.add(1, 20, "a", "");
  world.add(21, 40, "", "");
  EXPECT_EQ(world.admitted(1, 20), 2);
  EXPECT_EQ(world.admitted(21, 40), 2);
}

TEST(VoluntaryLimit, ClaimsOfAnEarlierRunCountInTheirZone) {
  LimitWorld world;
  world.add(1, 10, "a", "west-1");
  world.add(11, 40, "b", "west-1");
  world.begun(1);
  world.begun(2);
  world.begun(3);
  world.begun(4);
  EXPECT_EQ(world.admitted(11, 40), 0);
}

TEST(VoluntaryLimit, WhoLeavesMakesRoom) {
  LimitWorld world;
  world.add(1, 10, "", "west-1");
  EXPECT_EQ(world.admitted(1, 10), 1);
  world.limit.leave(instance(1));
  EXPECT_FALSE(world.limit.admit(world.cluster.node(node_name(1))) &&
               world.limit.admit(world.cluster.node(node_name(2))));
  world.limit.leave(instance(1));
  EXPECT_TRUE(world.limit.admit(world.cluster.node(node_name(2))));
}

TEST(VoluntaryLimit, OneIsAlwaysLet) {
  LimitWorld world;
  world.add(1, 1, "a", "west-1");
  EXPECT_EQ(world.admitted(1, 1), 1);
}

}  // namespace
}  // namespace ferryman::termination
