// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <gtest/gtest.h>

#include <set>

#include "base/result.h"
#include "support/simulation.h"

namespace ferryman {
namespace {

using test::Simulation;

static_assert(!std::is_aggregate_v<Error>);

TEST(Error, TextGrowsIntoAPathAndTheFaultStays) {
  Error inner(Fault::denied, "AccessDenied", "not authorized");
  inner.retry_after = std::chrono::seconds{3};
  const Error outer = inner.within("deleting the message").within("settling m-1");
  EXPECT_EQ(outer.text, "settling m-1: deleting the message: not authorized");
  EXPECT_EQ(outer.fault, Fault::denied);
  EXPECT_EQ(outer.code, "AccessDenied");
  EXPECT_EQ(outer.retry_after, std::chrono::seconds{3});
}

TEST(Error, OnlyWhatMayPassByItselfIsRetryable) {
  const Fault passing[] = {Fault::deadline, Fault::transport, Fault::throttled, Fault::unexpected};
  const Fault lasting[] = {Fault::cancelled, Fault::conflict, Fault::not_found, Fault::denied,
                           Fault::invalid};
  for (const Fault fault : passing) EXPECT_TRUE(is_retryable(fault)) << name_of(fault);
  for (const Fault fault : lasting) EXPECT_FALSE(is_retryable(fault)) << name_of(fault);
}

TEST(Error, EachFaultHasItsOwnName) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Fault::unexpected); ++i) names.insert(name_of(static_cast<Fault>(i)));
  EXPECT_EQ(names.size(), 9U);
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> value(7);
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, 7);
  const Result<int> error(Error(Fault::not_found, "no such number"));
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().text, "no such number");
}

TEST(Result, OfNothingIsASuccessUntilItIsAnError) {
  EXPECT_TRUE(Result<void>());
  const Result<void> failed(Error(Fault::conflict, "modified"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().fault, Fault::conflict);
}

TEST(Result, CarriesWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> held(std::make_unique<int>(7));
  const std::unique_ptr<int> taken = std::move(held).value();
  EXPECT_EQ(*taken, 7);
}

Task<Result<int>> number(bool good) {
  if (!good) co_return Error(Fault::invalid, "bad number");
  co_return 20;
}

Task<Result<std::string>> doubled(bool good, int& reached) {
  FERRYMAN_TRY(first, co_await number(true));
  ++reached;
  FERRYMAN_TRY(second, co_await number(good));
  ++reached;
  first += second;
  co_return std::to_string(first);
}

TEST(Result, TryGivesTheValueOrReturnsTheError) {
  Simulation sim;
  int reached = 0;
  const auto good = sim.run(doubled(true, reached));
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, "40");
  EXPECT_EQ(reached, 2);
  reached = 0;
  const auto bad = sim.run(doubled(false, reached));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().text, "bad number");
  EXPECT_EQ(reached, 1);
}

TEST(Deadline, OnlyGetsEarlier) {
  Simulation sim;
  const Deadline deadline = Deadline::after(sim.clock, std::chrono::seconds{10});
  EXPECT_EQ(deadline.at_most(sim.clock, std::chrono::seconds{3}).left(sim.clock), std::chrono::seconds{3});
  EXPECT_EQ(deadline.at_most(sim.clock, std::chrono::hours{1}).at(), deadline.at());
  sim.clock.advance(std::chrono::seconds{11});
  EXPECT_TRUE(deadline.passed(sim.clock));
  EXPECT_EQ(deadline.left(sim.clock), Duration{0});
}

}  // namespace
}  // namespace ferryman
