// SPDX-License-Identifier: Apache-2.0
#include "notify/kubernetes_events.h"

#include <gtest/gtest.h>

#include "unit/notify/notices.h"

namespace ferryman::test {

using notify::EventLoss;
using notify::KubernetesEvents;
using std::chrono::minutes;
using std::chrono::seconds;
using termination::ClusterEvent;
using termination::NoticeKind;

TEST(KubernetesEvents, ANodesNoticeIsOnTheNodeWhereKubectlLooksForIt) {
  EventsFixture f;
  f.board.tell(node_notice(NoticeKind::termination_started, "node-a", "a spot notice: gone in 2m"));
  f.pass(seconds{1});
  const auto events = f.writer.about("node-a");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].about.kind, "Node");
  EXPECT_EQ(events[0].about.object_namespace, "");
  EXPECT_EQ(events[0].about.uid.str(), "node-a");
  EXPECT_EQ(events[0].reason, "TerminationStarted");
  EXPECT_EQ(events[0].text, "a spot notice: gone in 2m");
  EXPECT_FALSE(events[0].warning);
  EXPECT_EQ(events[0].annotations.at("ferryman.dev/instance-id"), "i-0123456789abcdef0");
  EXPECT_EQ(events[0].annotations.at("ferryman.dev/event-kind"), "spot-interruption");
}

TEST(KubernetesEvents, APodsNoticeIsOnThePodAndNamesTheNodeBesides) {
  EventsFixture f;
  f.board.tell(pod_notice(NoticeKind::pod_blocked, "web-1"));
  f.pass(seconds{1});
  const auto events = f.writer.about("web-1");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].about.kind, "Pod");
  EXPECT_EQ(events[0].about.object_namespace, "shop");
  EXPECT_EQ(events[0].about.uid.str(), "uid-of-web-1");
  EXPECT_EQ(events[0].related.name, "node-a");
  EXPECT_EQ(events[0].related.uid.str(), "uid-of-node-a");
  EXPECT_TRUE(events[0].warning);
  EXPECT_TRUE(f.writer.about("node-a").empty());
}

TEST(KubernetesEvents, AnInstanceWithoutANodeHasNoEventAndIsNoLoss) {
  EventsFixture f;
  f.board.tell(node_notice(NoticeKind::termination_started, ""));
  f.pass(minutes{2});
  EXPECT_EQ(f.writer.creates, 0U);
  EXPECT_EQ(f.metrics.notices[NoticeKind::termination_started].value(), 1U);
  EXPECT_TRUE(f.sim.logs.with("events.dropped").empty());
}

TEST(KubernetesEvents, TheStartOfATerminationFindsItsNodeBeforeTheTerminationDoes) {
  EventsFixture f;
  f.node.emplace();
  f.node->name = "node-a";
  f.node->uid = Uid("uid-of-node-a");
  f.board.tell(node_notice(NoticeKind::termination_started, ""));
  f.board.tell(node_notice(NoticeKind::node_marked, "node-b"));
  f.pass(seconds{1});
  EXPECT_EQ(f.writer.about("node-a").size(), 1U);
  EXPECT_EQ(f.writer.about("node-b").size(), 1U);
}

TEST(KubernetesEvents, WhatIsSaidAgainBecomesACount) {
  EventsFixture f;
  for (int i = 0; i < 90; ++i) {
    f.board.tell(pod_notice(NoticeKind::pod_blocked, "web-1"));
    f.pass(seconds{2});
  }
  f.pass(minutes{2});
  const auto events = f.writer.about("web-1");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].count, 90U);
  EXPECT_GE(events[0].last - events[0].first, seconds{170});
  EXPECT_EQ(f.writer.creates, 1U);
  EXPECT_LE(f.writer.repeats, 5U);  // one a minute
  EXPECT_EQ(f.metrics.events_repeated.value(), f.writer.repeats);
}

TEST(KubernetesEvents, WhatIsSaidAfterALongSilenceIsAnEventOfItsOwn) {
  EventsFixture f;
  f.board.tell(node_notice(NoticeKind::node_drained, "node-a"));
  f.pass(minutes{8});
  f.board.tell(node_notice(NoticeKind::node_drained, "node-a"));
  f.pass(seconds{1});
  EXPECT_EQ(f.writer.about("node-a").size(), 2U);
}

TEST(KubernetesEvents, ATextThatChangesEachTimeDoesNotMakeAnEventEachTime) {
  EventsFixture f;
  for (int i = 0; i < 100; ++i) {
    f.board.tell(pod_notice(NoticeKind::pod_blocked, "web-1", "refused " + std::to_string(i) + " times"));
    f.pass(seconds{1});
  }
  f.pass(minutes{2});
  EXPECT_EQ(f.writer.creates, 5U);
  const auto events = f.writer.about("web-1");
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events.back().text, "refused 99 times");
  EXPECT_EQ(events.back().count, 96U);
}

TEST(KubernetesEvents, AMissingRightIsSaidOnceAndNothingIsAskedForTenMinutes) {
  EventsFixture f;
  f.writer.fault = [](const auto&, const auto&) {
    return Error(Fault::denied, "Forbidden", "events is forbidden");
  };
  for (int i = 0; i < 60 * 25; ++i) {
    f.board.tell(node_notice(NoticeKind::node_marked, "node-" + std::to_string(i)));
    f.pass(seconds{1});
  }
  EXPECT_EQ(f.writer.creates, 3U);
  EXPECT_EQ(f.sim.logs.with("events.not_allowed").size(), 1U);
  EXPECT_EQ(f.dropped(EventLoss::not_allowed), 60U * 25U);
  EXPECT_TRUE(f.sim.logs.with("events.dropped").empty());
  f.writer.fault = nullptr;
  f.pass(minutes{10});
  f.board.tell(node_notice(NoticeKind::node_drained, "node-a"));
  f.pass(seconds{1});
  EXPECT_EQ(f.writer.about("node-a").size(), 1U);
}

TEST(KubernetesEvents, WithoutTheRightToPatchOnlyTheCountsStandStill) {
  EventsFixture f;
  f.writer.fault = [](const std::string& verb, const auto&) -> std::optional<Error> {
    if (verb == "create") return std::nullopt;
    return Error(Fault::denied, "Forbidden", "cannot patch events");
  };
  for (int i = 0; i < 5; ++i) {
    f.board.tell(pod_notice(NoticeKind::pod_blocked, "web-1"));
    f.pass(minutes{1});
  }
  f.board.tell(node_notice(NoticeKind::node_drained, "node-a"));
  f.pass(seconds{1});
  EXPECT_EQ(f.writer.repeats, 1U);
  EXPECT_EQ(f.sim.logs.with("events.not_allowed").size(), 1U);
  EXPECT_EQ(f.writer.about("node-a").size(), 1U);
}

TEST(KubernetesEvents, ANamespaceThatEndsCostsItsOwnEventOnly) {
  EventsFixture f;
  f.writer.fault = [](const auto&, const ClusterEvent& event) -> std::optional<Error> {
    if (event.about.object_namespace != "shop") return std::nullopt;
    return Error(Fault::conflict, "NamespaceTerminating", "it is being terminated");
  };
  f.board.tell(pod_notice(NoticeKind::pod_blocked, "web-1"));
  f.board.tell(node_notice(NoticeKind::node_drained, "node-a"));
  f.pass(minutes{2});
  EXPECT_EQ(f.writer.creates, 2U);
  EXPECT_EQ(f.writer.about("node-a").size(), 1U);
  EXPECT_EQ(f.dropped(EventLoss::refused), 1U);
  EXPECT_EQ(f.sim.logs.with("events.dropped").size(), 1U);
}

TEST(KubernetesEvents, AnEventThatTheApiServerForgotIsCreatedAnew) {
  EventsFixture f;
  f.board.tell(pod_notice(NoticeKind::pod_blocked, "web-1"));
  f.pass(seconds{30});
  f.writer.forget_all();
  f.board.tell(pod_notice(NoticeKind::pod_blocked, "web-1"));
  f.pass(minutes{3});
  ASSERT_EQ(f.writer.about("web-1").size(), 1U);
  EXPECT_EQ(f.writer.about("web-1")[0].count, 2U);
}

TEST(KubernetesEvents, WhatWasToldLastIsWrittenBeforeTheEnd) {
  EventsFixture f;
  for (int i = 0; i < 20; ++i)
    f.board.tell(node_notice(NoticeKind::termination_finished, "node-" + std::to_string(i)));
  f.sim.run(f.events.flush(Deadline::after(f.sim.clock, seconds{1})));
  EXPECT_EQ(f.writer.events.size(), 20U);
  f.writer.hangs = true;
  f.board.tell(node_notice(NoticeKind::termination_finished, "node-x"));
  const SteadyTime before = f.sim.clock.now();
  f.sim.run(f.events.flush(Deadline::after(f.sim.clock, seconds{1})));
  EXPECT_EQ(f.sim.clock.now() - before, seconds{1});
}

}  // namespace ferryman::test
