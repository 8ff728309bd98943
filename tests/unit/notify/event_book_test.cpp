// SPDX-License-Identifier: Apache-2.0
#include "notify/event_book.h"

#include <gtest/gtest.h>

#include <set>

#include "base/json.h"
#include "unit/notify/notices.h"

namespace ferryman::test {

using notify::EventBook;
using std::chrono::minutes;
using termination::NoticeKind;

TEST(Notices, EachKindHasAReasonOfItsOwnThatKubernetesTakes) {
  std::set<std::string_view> reasons;
  for (std::size_t i = 0; i < termination::notice_kinds; ++i) {
    const std::string_view reason = reason_of(static_cast<NoticeKind>(i));
    EXPECT_TRUE(reasons.insert(reason).second) << reason;
    EXPECT_LE(reason.size(), 128U);
    EXPECT_TRUE(reason.front() >= 'A' && reason.front() <= 'Z') << reason;
  }
  EXPECT_EQ(reason_of(NoticeKind::pod_blocked), "PodEvictionBlocked");
  EXPECT_EQ(reason_of(NoticeKind::pods_left), "PodsLeft");
  EXPECT_EQ(reason_of(NoticeKind::node_deleted), "NodeDeleted");
}

TEST(Notices, WhatSomebodyLosesOrShouldMendIsAWarning) {
  for (const auto kind : {NoticeKind::pod_blocked, NoticeKind::pod_refused, NoticeKind::pod_deleted,
                          NoticeKind::pods_left, NoticeKind::targets_left, NoticeKind::volumes_left})
    EXPECT_TRUE(is_warning(kind)) << reason_of(kind);
  for (const auto kind : {NoticeKind::event_ignored, NoticeKind::termination_started, NoticeKind::node_marked,
                          NoticeKind::node_drained, NoticeKind::termination_finished,
                          NoticeKind::termination_cancelled, NoticeKind::node_deleted})
    EXPECT_FALSE(is_warning(kind)) << reason_of(kind);
}

TEST(EventBook, ALongTextIsCutBetweenCharacters) {
  Simulation sim;
  EventBook book(sim.clock);
  std::string text;
  while (text.size() < 3000) text += "\xc3\xa4";
  const auto entry = book.enter(node_notice(NoticeKind::pods_left, "node-a", "x" + text));
  EXPECT_LE(entry->event.text.size(), 1024U);
  EXPECT_GE(entry->event.text.size(), 1020U);
  EXPECT_TRUE(parse_json("\"" + entry->event.text + "\"").ok());
}

TEST(EventBook, WhatIsNoUtf8IsMadeSome) {
  Simulation sim;
  EventBook book(sim.clock);
  const auto entry = book.enter(node_notice(NoticeKind::pods_left, "node-a", "\xff\xfe pods"));
  EXPECT_TRUE(parse_json("\"" + entry->event.text + "\"").ok());
}

TEST(EventBook, EventsAtOneInstantHaveDifferentNames) {
  Simulation sim;
  EventBook book(sim.clock);
  std::set<std::string> names;
  for (int i = 0; i < 100; ++i)
    names.insert(
        book.enter(node_notice(NoticeKind::pods_left, "n" + std::to_string(i % 2), std::to_string(i / 20)))
            ->event.name);
  EXPECT_EQ(names.size(), 10U);  // two objects, five texts
}

TEST(EventBook, ALongNameOfTheObjectMakesANameThatKubernetesTakes) {
  Simulation sim;
  EventBook book(sim.clock);
  const std::string name = std::string(199, 'a') + "-" + std::string(53, 'b');
  const std::string event = book.enter(node_notice(NoticeKind::pods_left, name))->event.name;
  EXPECT_LE(event.size(), 253U);
  EXPECT_EQ(event.find("-."), std::string::npos);
  EXPECT_EQ(event.find(".."), std::string::npos);
}

TEST(EventBook, ANodeThatComesBackUnderItsNameHasEventsOfItsOwn) {
  Simulation sim;
  EventBook book(sim.clock);
  auto notice = node_notice(NoticeKind::node_drained, "node-a");
  const auto first = book.enter(notice);
  notice.node_uid = Uid("another");
  EXPECT_NE(book.enter(notice), first);
}

TEST(EventBook, ForgetsWhatNobodySpeaksOf) {
  Simulation sim;
  EventBook book(sim.clock);
  for (int i = 0; i < 50; ++i) book.enter(node_notice(NoticeKind::node_drained, "n" + std::to_string(i)));
  EXPECT_EQ(book.size(), 50U);
  sim.clock.advance(minutes{4});
  book.enter(node_notice(NoticeKind::node_drained, "n1"));
  sim.clock.advance(minutes{2});
  book.forget_old();
  EXPECT_EQ(book.size(), 1U);
}

}  // namespace ferryman::test
