// SPDX-License-Identifier: Apache-2.0
// Many at once, and an API server that does not keep up.
#include <gtest/gtest.h>

#include "unit/notify/notices.h"

namespace ferryman::test {

using notify::EventLoss;
using notify::KubernetesEvents;
using std::chrono::minutes;
using std::chrono::seconds;
using termination::NoticeKind;

namespace {

/// 200 nodes of ten pods each begin to end.
void end_all_at_once(EventsFixture& f) {
  for (int node = 0; node < 200; ++node) {
    const std::string name = "node-" + std::to_string(node);
    f.board.tell(node_notice(NoticeKind::termination_started, name));
    f.board.tell(node_notice(NoticeKind::node_marked, name));
    for (int pod = 0; pod < 10; ++pod)
      f.board.tell(pod_notice(NoticeKind::pod_blocked, name + "-pod-" + std::to_string(pod)));
  }
}

constexpr std::uint64_t told = 200U * 12U;

}  // namespace

TEST(EventFlood, TwoHundredNodesAtOnceStayWithinTheRateAndTheQueue) {
  EventsFixture f;
  end_all_at_once(f);
  EXPECT_EQ(f.dropped(EventLoss::queue_full), told - KubernetesEvents::most_waiting);
  f.pass(seconds{10});
  EXPECT_LE(f.writer.creates, 50U + 10U * 20U + 1U);
  EXPECT_GE(f.writer.creates, 200U);
  f.pass(minutes{3});
  EXPECT_EQ(f.writer.creates, KubernetesEvents::most_waiting);
  EXPECT_EQ(f.metrics.events_written.value(), KubernetesEvents::most_waiting);
  EXPECT_EQ(f.sim.logs.with("events.dropped").size(), 1U);
}

TEST(EventFlood, AWarningTakesThePlaceOfWhatIsNone) {
  EventsFixture f;
  end_all_at_once(f);
  f.pass(minutes{3});
  std::size_t warnings = 0;
  for (const auto& [name, event] : f.writer.events) warnings += event.warning ? 1 : 0;
  EXPECT_EQ(warnings, 2000U);
}

TEST(EventFlood, AHangingApiServerHoldsNobodyUpAndKeepsNothingForLong) {
  EventsFixture f;
  f.writer.hangs = true;
  const SteadyTime before = f.sim.clock.now();
  end_all_at_once(f);
  EXPECT_EQ(f.sim.clock.now(), before);
  f.pass(minutes{8});
  EXPECT_LE(f.writer.creates, 40U);  // one at a time, further and further apart
  EXPECT_EQ(f.dropped(EventLoss::too_late) + f.dropped(EventLoss::queue_full), told);
  f.writer.hangs = false;
  f.board.tell(node_notice(NoticeKind::node_drained, "node-a"));
  f.pass(minutes{1});
  EXPECT_EQ(f.writer.about("node-a").size(), 1U);
}

TEST(EventFlood, AnOutageOfAMinuteLosesNothing) {
  EventsFixture f;
  f.writer.fault = [](const auto&, const auto&) { return Error(Fault::unexpected, "503"); };
  f.board.tell(node_notice(NoticeKind::node_drained, "node-a"));
  f.pass(minutes{1});
  EXPECT_GE(f.writer.creates, 4U);
  EXPECT_LE(f.writer.creates, 8U);
  f.writer.fault = nullptr;
  f.pass(minutes{1});
  EXPECT_EQ(f.writer.about("node-a").size(), 1U);
  EXPECT_EQ(f.metrics.events_written.value(), 1U);
}

TEST(EventFlood, AThrottlingApiServerIsLeftAloneForAsLongAsItSays) {
  EventsFixture f;
  f.writer.fault = [](const auto&, const auto&) {
    Error error(Fault::throttled, "429");
    error.retry_after = seconds{20};
    return error;
  };
  f.board.tell(node_notice(NoticeKind::node_drained, "node-a"));
  f.pass(seconds{55});
  EXPECT_EQ(f.writer.creates, 3U);  // at 0, 20 and 40 s
}

TEST(EventFlood, WrongCredentialsAreNoMissingRight) {
  EventsFixture f;
  f.writer.fault = [](const auto&, const auto&) { return Error(Fault::denied, "Unauthorized", "401"); };
  f.board.tell(node_notice(NoticeKind::node_drained, "node-a"));
  f.pass(seconds{30});
  EXPECT_TRUE(f.sim.logs.with("events.not_allowed").empty());
  f.writer.fault = nullptr;
  f.pass(minutes{1});
  EXPECT_EQ(f.writer.about("node-a").size(), 1U);
}

}  // namespace ferryman::test
