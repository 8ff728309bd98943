// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/schedule.h"

#include <gtest/gtest.h>

#include "base/random.h"
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
  return Schedule(hour(), Policy(), Moment(start + after, WallTime())).next_move(row, false);
}

/// From the start on.
Duration look_at(const PodRow& row, Duration after) {
  return Schedule(hour(), Policy(), Moment(start + after, WallTime())).next_look(row) - start;
}

TEST(DrainSchedule, EvictsThenRemovesThenForces) {
  PodRow row = row_of(FakePod("web", "n"));
  EXPECT_EQ(move_at(row, 0s), Move::evict);
  row.tried = Move::evict;
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
  row.tried = Move::evict;
  row.next_attempt = start + 10s;
  EXPECT_EQ(move_at(row, 9s), Move::none);
  EXPECT_EQ(move_at(row, 10s), Move::evict);
  row.in_flight = true;
  EXPECT_EQ(move_at(row, 1h - 30s), Move::none);
}

TEST(DrainSchedule, ABackOffHoldsAnEvictionButNotTheDeletionThatIsDue) {
  PodRow row = row_of(FakePod("web", "n"));
  row.refusals = 5;
  row.blocked = true;
  row.tried = Move::evict;
  row.next_attempt = start + 48min + 20s;
  EXPECT_EQ(move_at(row, 48min - 1s), Move::none);
  EXPECT_EQ(move_at(row, 48min), Move::remove);
  row.tried = Move::remove;
  EXPECT_EQ(move_at(row, 48min + 2s), Move::none);
  EXPECT_EQ(move_at(row, 48min + 20s), Move::remove);
}

TEST(DrainSchedule, APauseBetweenDeletionsEndsWithTheForcePhase) {
  PodRow row = row_of(FakePod("web", "n"));
  row.refusals = 1;
  row.tried = Move::remove;
  row.next_attempt = start + 24h;
  EXPECT_EQ(move_at(row, 1h - 31s), Move::none);
  EXPECT_EQ(move_at(row, 1h - 30s), Move::force);
  row.tried = Move::force;
  EXPECT_EQ(move_at(row, 1h - 10s), Move::none);
}

TEST(DrainSchedule, ARefusedPodWithALongGraceIsRemovedWhileItsGraceStillFits) {
  PodRow row = row_of(FakePod("db", "n").with_grace(30min));
  EXPECT_EQ(move_at(row, 31min), Move::evict);
  row.refusals = 1;
  EXPECT_EQ(move_at(row, 29min), Move::evict);
  EXPECT_EQ(move_at(row, 30min - 15s - 1s), Move::remove);
}

TEST(DrainSchedule, APodThatNobodyAskedYetIsEvictedFirstHoweverLate) {
  PodRow row = row_of(FakePod("web", "n"));
  EXPECT_EQ(move_at(row, 50min), Move::evict);
  row.tried = Move::evict;
  row.refusals = 1;
  row.next_attempt = start + 51min;
  EXPECT_EQ(move_at(row, 50min), Move::remove) << "its budget has refused: no pause before the deletion";
}

// A pod may ask for 0 itself: its eviction would be a forced deletion.
TEST(DrainSchedule, APodThatAsksForNoGraceIsEvictedWithOneSecond) {
  const PodRow row = row_of(FakePod("web", "n").with_grace(0s));
  const Plan plan = hour();
  Policy policy;
  EXPECT_EQ(Schedule(plan, policy, Moment(start, WallTime())).grace_for(row, Move::evict), 1s);
  policy.drain.force_grace_zero = true;
  EXPECT_EQ(Schedule(plan, policy, Moment(start, WallTime())).grace_for(row, Move::evict), std::nullopt);
}

TEST(DrainSchedule, ALateEvictionGivesNoMoreGraceThanFits) {
  const auto grace_at = [](Duration after) {
    return Schedule(hour(), Policy(), Moment(start + after, WallTime()))
        .grace_for(row_of(FakePod("db", "n").with_grace(20min)), Move::evict);
  };
  EXPECT_EQ(grace_at(30min), std::nullopt) << "its own";
  EXPECT_EQ(grace_at(50min), 10min - 15s);
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
    return Schedule(hour(), Policy(), Moment(start + after, WallTime()))
        .grace_for(row_of(FakePod("db", "n").with_grace(own)), Move::remove);
  };
  EXPECT_EQ(grace_at(30s, 48min), 30s);
  EXPECT_EQ(grace_at(2h, 48min), 12min - 15s);
  EXPECT_EQ(grace_at(30s, 1h - 20s), 5s);
  EXPECT_EQ(grace_at(30s, 1h), 1s);
  EXPECT_EQ(grace_at(0s, 48min), 1s);
}

TEST(DrainSchedule, TheNextLookIsTheEarliestTurn) {
  PodRow row = row_of(FakePod("web", "n"));
  EXPECT_EQ(look_at(row, 0s), 48min);
  row.next_attempt = start + 5s;
  EXPECT_EQ(look_at(row, 0s), 5s);
  EXPECT_EQ(look_at(row, 50min), 1h - 46s) << "its grace, the margin and a second for the call";
  EXPECT_EQ(look_at(row, 1h - 40s), 1h - 30s);
  EXPECT_EQ(look_at(row, 1h - 10s), 1h);
}

TEST(DrainSchedule, APodBehindAnEarlierWaveGoesAtItsLatestStart) {
  const PodRow row = row_of(FakePod("storage", "n").with_grace(10min));
  const auto move_behind = [&](Duration after) {
    return Schedule(hour(), Policy(), Moment(start + after, WallTime())).next_move(row, true);
  };
  EXPECT_EQ(move_behind(0s), Move::none);
  EXPECT_EQ(move_behind(50min - 17s), Move::none);
  EXPECT_EQ(move_behind(50min - 16s), Move::evict) << "its budget may let it go";
}

TEST(DrainSchedule, AnAnnotationsWaitIsHeededIfThePlanSaysSoAndTheDeadlineAllows) {
  PodRow row = row_of(FakePod("job", "n"));
  row.pod.wait_up_to = 20min;
  EXPECT_EQ(move_at(row, 0s), Move::evict) << "a spot notice heeds none";
  Plan plan = hour();
  plan.heeds_waits = true;
  const auto move_heeding = [&](Duration after) {
    return Schedule(plan, Policy(), Moment(start + after, WallTime())).next_move(row, false);
  };
  EXPECT_EQ(move_heeding(20min - 1s), Move::none);
  EXPECT_EQ(move_heeding(20min), Move::evict);
  row.pod.wait_up_to = 5h;
  EXPECT_EQ(move_heeding(1h - 47s), Move::none);
  EXPECT_EQ(move_heeding(1h - 46s), Move::evict);
}

TEST(DrainSchedule, APodThatWasUnreadyTooLongIsDeletedOnceItsBudgetRefused) {
  Policy policy;
  policy.drain.delete_unready_after = 5min;
  PodRow row = row_of(FakePod("crashing", "n"));
  const WallTime now(100h);
  row.pod.unready_since = now - 5min;
  const Plan plan = hour();
  const Schedule schedule(plan, policy, Moment(start, now));
  EXPECT_EQ(schedule.next_move(row, false), Move::evict);
  row.refusals = 1;
  EXPECT_EQ(schedule.next_move(row, false), Move::remove);
  row.pod.unready_since = now - 4min;
  EXPECT_EQ(schedule.next_move(row, false), Move::evict);
}

TEST(DrainSchedule, GraceZeroOnlyWhereNoKubeletConfirms) {
  const PodRow row = row_of(FakePod("web", "n"));
  Policy policy;
  Plan plan = hour();
  const auto forced = [&] {
    return Schedule(plan, policy, Moment(start, WallTime())).grace_for(row, Move::force);
  };
  EXPECT_EQ(forced(), 1s);
  plan.off = true;
  EXPECT_EQ(forced(), 0s);
  plan.off = false;
  policy.drain.force_grace_zero = true;
  EXPECT_EQ(forced(), 0s);
}

TEST(DrainSchedule, ABudgetThatBlocksForAnHourIsAskedLessThanTwoHundredTimes) {
  Random random(1);
  Duration waited{0};
  int asked = 0;
  for (; waited < 1h; ++asked) waited += budget_back_off(asked + 1, random);
  EXPECT_LT(asked, 150);
  EXPECT_LT(budget_back_off(1, random), 2s) << "the first pauses are short";
}

}  // namespace
}  // namespace ferryman::termination::drain
