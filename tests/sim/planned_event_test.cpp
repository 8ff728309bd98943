// SPDX-License-Identifier: Apache-2.0
// What EC2 plans for an instance, found by asking (--poll-instance-status): no message tells of it.
#include <gtest/gtest.h>

#include "sim/scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

class PlannedEvents : public ::testing::Test {
 protected:
  static SceneShape shape() {
    SceneShape shape;
    shape.nodes = 20;  // the share of voluntary ends lets two leave
    shape.terminate = 0;
    shape.arguments = {"--poll-instance-status=30s", "--on-instance-status=drain", "--voluntary-min-age=0s"};
    shape.terms.finished = false;
    shape.terms.ignored_kinds.erase("instance-status");
    return shape;
  }
  std::string plan(const InstanceId& id, const std::string& code, Duration from_now) {
    sandbox::PlannedEvent event;
    event.code = code;
    event.not_before = scene.sim().clock.wall() + from_now;
    return scene.aws().plans().plan(id, event);
  }
  [[nodiscard]] const InstanceId& node() { return scene.instances().front(); }

  Scene scene{shape(), 31};
};

TEST_F(PlannedEvents, ARetirementEmptiesTheNodeAtTheNextPoll) {
  Replica& replica = scene.start();
  scene.advance(5s);
  plan(node(), "instance-retirement", 24h);
  scene.advance(5min);
  EXPECT_EQ(replica.logs.with("node.cordoned").size(), 1U);
  EXPECT_EQ(replica.logs.with("drain.finished").size(), 1U);
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(PlannedEvents, ARebootIsWaitedForAndACancelledOneIsForgotten) {
  Replica& replica = scene.start();
  scene.advance(5s);
  const std::string reboot = plan(node(), "system-reboot", 2h);
  scene.advance(90min);
  EXPECT_EQ(replica.logs.with("node.cordoned").size(), 0U);
  scene.aws().plans().finish(node(), reboot, "Canceled");
  scene.advance(2h);
  EXPECT_EQ(replica.logs.with("node.cordoned").size(), 0U);
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(PlannedEvents, ARebootEmptiesTheNodeTenMinutesBefore) {
  Replica& replica = scene.start();
  scene.advance(5s);
  plan(node(), "instance-reboot", 2h);
  scene.advance(109min);
  EXPECT_EQ(replica.logs.with("node.cordoned").size(), 0U);
  scene.advance(5min);
  EXPECT_EQ(replica.logs.with("node.cordoned").size(), 1U);
  EXPECT_EQ(replica.logs.with("drain.finished").size(), 1U);
}

}  // namespace
}  // namespace ferryman::sim
