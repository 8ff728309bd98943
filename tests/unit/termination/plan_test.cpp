// SPDX-License-Identifier: Apache-2.0
#include "termination/plan.h"

#include <gtest/gtest.h>

#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::terminate_event;

const WallTime noon = *parse_rfc3339("2026-03-01T12:00:00Z");

class PlanBuilder {
 public:
  PlanBuilder& hook(const std::string& name, std::chrono::seconds timeout) {
    LifecycleHook hook;
    hook.group = test::group;
    hook.name = name;
    hook.heartbeat_timeout = timeout;
    hook.global_timeout = std::min(100 * timeout, std::chrono::seconds{172'800});
    hooks_.push_back(std::move(hook));
    return *this;
  }
  PlanBuilder& event(Event added) { return events_.push_back(std::move(added)), *this; }
  PlanBuilder& started(WallTime time) { return started_ = time, *this; }

  /// As durations from `started`.
  Plan make() {
    const Moment now(SteadyTime(1000h), noon);
    return make_plan(events_, hooks_, policy, started_, now);
  }

  Policy policy;

 private:
  std::vector<Event> events_;
  std::vector<LifecycleHook> hooks_;
  WallTime started_ = noon;
};

TEST(Plan, MaxTerminationTimeEndsItWhenTheHookWaitsLonger) {
  const Plan plan = PlanBuilder().hook(test::drain_hook, 300s).event(terminate_event(1)).make();
  EXPECT_EQ(plan.deadline - plan.started, 1h);
  EXPECT_EQ(plan.delete_from - plan.started, 48min);
  EXPECT_EQ(plan.deadline - plan.force_from, 30s);
  EXPECT_EQ(plan.lost_at - plan.started, 30'000s);
}

TEST(Plan, TheHooksGlobalTimeoutEndsItEarlierByTheMargin) {
  const Plan plan = PlanBuilder().hook(test::drain_hook, 30s).event(terminate_event(1)).make();
  EXPECT_EQ(plan.deadline - plan.started, 3000s - 15s);
}

TEST(Plan, TheGlobalTimeoutRunsFromTheEventNotFromUs) {
  const Plan plan =
      PlanBuilder().hook(test::drain_hook, 30s).event(terminate_event(1)).started(noon + 40min).make();
  EXPECT_EQ(plan.deadline - plan.started, 3000s - 15s - 40min);
  // Our own limit would end later; tries until then cost little and lose nothing.
  EXPECT_EQ(plan.lost_at - plan.started, 1h + 15s);
}

TEST(Plan, TheShortestOfSeveralHooksDecides) {
  const Plan plan = PlanBuilder()
                        .hook(test::drain_hook, 3600s)
                        .hook("short-hook", 30s)
                        .event(terminate_event(1))
                        .event(terminate_event(1, "short-hook"))
                        .make();
  EXPECT_EQ(plan.deadline - plan.started, 3000s - 15s);
  EXPECT_EQ(plan.lost_at - plan.started, 48h);
}

TEST(Plan, AnUnknownHookIsTakenForTheShortestThatAwsAllows) {
  const Plan plan = PlanBuilder().event(terminate_event(1, "never-seen")).make();
  EXPECT_EQ(plan.deadline - plan.started, 3000s - 15s);
}

TEST(Plan, AnEventFromLongAgoGivesADeadlineInThePast) {
  const WallTime late = noon + 20h;
  const Plan plan = PlanBuilder().hook(test::drain_hook, 30s).event(terminate_event(1)).started(late).make();
  EXPECT_LT(plan.deadline, plan.started);
  EXPECT_LE(plan.force_from, plan.deadline);
  EXPECT_GE(plan.lost_at, plan.started);
}

TEST(Plan, AResumedTerminationKeepsItsStart) {
  PlanBuilder builder;
  builder.hook(test::drain_hook, 3600s).event(terminate_event(1)).started(noon - 50min);
  const Plan plan = builder.make();
  EXPECT_EQ(plan.deadline, SteadyTime(1000h) + 10min);
  EXPECT_LT(plan.delete_from, SteadyTime(1000h));
}

TEST(Plan, AShortPlanForcesInItsLastTenth) {
  PlanBuilder builder;
  builder.policy.max_termination_time = 60s;
  const Plan plan = builder.hook(test::drain_hook, 3600s).event(terminate_event(1)).make();
  EXPECT_EQ(plan.deadline - plan.force_from, 6s);
  EXPECT_LE(plan.delete_from, plan.force_from);
}

}  // namespace
}  // namespace ferryman::termination
