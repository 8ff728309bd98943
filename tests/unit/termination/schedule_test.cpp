// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/schedule.h"

#include <gtest/gtest.h>

#include "unit/termination/fakes/fake_pod.h"

namespace ferryman::termination::drain {
namespace {

using namespace std::chrono_literals;
using test::FakePod;

const SteadyTime start(1000h);

/// One hour: deletes from minute 48, force in the last 30 s.
Plan hour() {
  Plan plan;
  plan.started = start;
  plan.delete_from = start + 48min;
  plan.force_from = start + 1h - 30s;
  plan.deadline = start + 1h;
  return plan;
}

PodRow row_of(const FakePod& fake) {
  PodRow row;
  row.pod = fake.pod;
  row.verdict = judge(fake.pod, Judging(Policy().drain, WallTime{}));
  return row;
}

Move move_at(const PodRow& row, Duration after) {
  return next_move(row, hour(), Policy(), start + after);
}

TEST(DrainSchedule, EvictsThenRemovesThenForces) {
  const PodRow row = row_of(FakePod("web", "n"));
  EXPECT_EQ(move_at(row, 0s), Move::evict);
  EXPECT_EQ(move_at(row, 47min), Move::evict);
  EXPECT_EQ(move_at(row, 48min), Move::remove);
  EXPECT_EQ(move_at(row, 1h - 30s), Move::force);
}

TEST(DrainSchedule, APodThatTerminatesIsLeftAloneUntilTheForcePhaseAndForcedOnce) {
  PodRow row = row_of(FakePod("web", "n"));
  row.asked = row.pod.terminating = true;
  EXPECT_EQ(move_at(row, 50min), Move::none);
  EXPECT_EQ(move_at(row, 1h - 30s), Move::force);
  row.forced = true;
  EXPECT_EQ(move_at(row, 1h - 10s), Move::none);
}

TEST(DrainSchedule, AnEvictionThatWasAcceptedButDoesNotBeginIsRepeated) {
  PodRow row = row_of(FakePod("web", "n"));
  row.asked = true;
  row.next_attempt = start + 10s;
  EXPECT_EQ(move_at(row, 9s), Move::none);
  EXPECT_EQ(move_at(row, 10s), Move::evict);
}

TEST(DrainSchedule, BackOffAndCallsInFlightHoldAMoveBack) {
  PodRow row = row_of(FakePod("web", "n"));
  row.next_attempt = start + 10s;
  EXPECT_EQ(move_at(row, 9s), Move::none);
  EXPECT_EQ(move_at(row, 10s), Move::evict);
  row.in_flight = true;
  EXPECT_EQ(move_at(row, 1h - 30s), Move::none);
}

TEST(DrainSchedule, ARefusedPodWithALongGraceIsRemovedWhileItsGraceStillFits) {
  PodRow row = row_of(FakePod("db", "n").with_grace(30min));
  EXPECT_EQ(move_at(row, 31min), Move::evict);
  row.refusals = 1;
  EXPECT_EQ(move_at(row, 29min), Move::evict);
  EXPECT_EQ(move_at(row, 30min - 15s), Move::remove);
}

TEST(DrainSchedule, SkippedPodsAreNeverMoved) {
  const PodRow row = row_of(FakePod("agent", "n").owned_by("DaemonSet"));
  EXPECT_EQ(move_at(row, 0s), Move::none);
  EXPECT_EQ(move_at(row, 1h - 1s), Move::none);
}

// Grace 1 for ourselves would end the process that must still send the completion.
TEST(DrainSchedule, OurOwnPodIsNeverForced) {
  PodRow row = row_of(FakePod("ferryman-1", "n"));
  row.own = true;
  row.asked = row.pod.terminating = true;
  EXPECT_EQ(move_at(row, 1h - 10s), Move::none);
}

TEST(DrainSchedule, GraceIsCappedByTheTimeLeftAndAtLeastOneSecond) {
  const auto grace_at = [](std::chrono::seconds own, Duration after) {
    return capped_grace(row_of(FakePod("db", "n").with_grace(own)), hour(), Policy(), start + after);
  };
  EXPECT_EQ(grace_at(30s, 48min), 30s);
  EXPECT_EQ(grace_at(2h, 48min), 12min - 15s);
  EXPECT_EQ(grace_at(30s, 1h - 20s), 5s);
  EXPECT_EQ(grace_at(30s, 1h), 1s);
  EXPECT_EQ(grace_at(0s, 48min), 1s);
}

TEST(DrainSchedule, TheNextLookIsTheEarliestTurn) {
  PodRow row = row_of(FakePod("web", "n"));
  EXPECT_EQ(next_look(row, hour(), Policy(), start), start + 48min);
  row.next_attempt = start + 5s;
  EXPECT_EQ(next_look(row, hour(), Policy(), start), start + 5s);
  EXPECT_EQ(next_look(row, hour(), Policy(), start + 50min), start + 1h - 30s);
  EXPECT_EQ(next_look(row, hour(), Policy(), start + 1h - 10s), start + 1h);
}

}  // namespace
}  // namespace ferryman::termination::drain
