// SPDX-License-Identifier: Apache-2.0
#include "termination/policy.h"

#include <gtest/gtest.h>

#include "termination/context.h"
#include "termination/outcome.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;

TEST(Hooks, AnyOfTheGlobsMakesAHookOurs) {
  Policy policy;
  EXPECT_TRUE(is_our_hook(policy, "whatever"));
  policy.hooks = {"drain", "ferry-*"};
  EXPECT_TRUE(is_our_hook(policy, "ferry-1"));
  EXPECT_FALSE(is_our_hook(policy, "backup"));
  policy.hooks = {"*", "!Terminate-LC-*"};
  EXPECT_TRUE(is_our_hook(policy, "drain"));
  EXPECT_FALSE(is_our_hook(policy, "Terminate-LC-Hook"));
  policy.hooks.clear();
  EXPECT_FALSE(is_our_hook(policy, "drain"));
}

TEST(Outcomes, EachMeansOneThingForTheMessage) {
  struct Row {
    MessageOutcome outcome;
    const char* name;
    Disposal shared;
    Disposal exclusive;
  };
  const Row rows[] = {
      {MessageOutcome::claimed, "claimed", Disposal::remove, Disposal::remove},
      {MessageOutcome::handled, "handled", Disposal::remove, Disposal::remove},
      {MessageOutcome::repeated, "repeated", Disposal::remove, Disposal::remove},
      {MessageOutcome::ignored, "ignored", Disposal::remove, Disposal::remove},
      {MessageOutcome::foreign, "foreign", Disposal::release, Disposal::remove},
      {MessageOutcome::not_managed, "not-managed", Disposal::release, Disposal::remove},
      {MessageOutcome::undecided, "undecided", Disposal::release, Disposal::release},
      {MessageOutcome::not_for_us, "not-for-us", Disposal::release, Disposal::remove},
      {MessageOutcome::nobodys, "nobodys", Disposal::remove, Disposal::remove},
      {MessageOutcome::test, "test", Disposal::remove, Disposal::remove},
      {MessageOutcome::past_its_life, "past-its-life", Disposal::remove, Disposal::remove},
      {MessageOutcome::not_in_sync, "not-in-sync", Disposal::leave, Disposal::leave},
      {MessageOutcome::unparsable, "unparsable", Disposal::leave, Disposal::leave},
      {MessageOutcome::interrupted, "interrupted", Disposal::release, Disposal::release},
  };
  ASSERT_EQ(std::size(rows), message_outcomes);
  for (const Row& row : rows) {
    EXPECT_EQ(name_of(row.outcome), row.name);
    EXPECT_EQ(disposal_of(row.outcome, QueueMode::shared), row.shared) << row.name;
    EXPECT_EQ(disposal_of(row.outcome, QueueMode::exclusive), row.exclusive) << row.name;
  }
}

TEST(PatientBackOff, GrowsToTenSecondsAndStaysThere) {
  Random random(1);
  const Duration middles[] = {500ms, 1s, 2s, 4s, 8s, 10s, 10s};
  for (int n = 1; n <= 7; ++n) {
    const Duration pause = patient_back_off(n, random);
    EXPECT_GE(pause, middles[n - 1] * 7 / 10) << n;
    EXPECT_LE(pause, middles[n - 1] * 13 / 10) << n;
  }
  EXPECT_LE(patient_back_off(1'000'000, random), 13s);
  EXPECT_GE(patient_back_off(0, random), 350ms);
}

}  // namespace
}  // namespace ferryman::termination
