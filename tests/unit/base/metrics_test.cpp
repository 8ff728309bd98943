// SPDX-License-Identifier: Apache-2.0
#include "base/metrics.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace ferryman {
namespace {

using namespace std::chrono_literals;

TEST(Histogram, CountsEachValueInTheFirstBucketThatHoldsIt) {
  Histogram histogram{1, 5, 10};
  for (const double value : {0.0, 1.0, 1.1, 5.0, 10.0, 10.1, 1e9}) histogram.observe(value);
  EXPECT_EQ(histogram.counts(), (std::vector<std::uint64_t>{2, 2, 1, 2}));
  EXPECT_EQ(histogram.counts().size(), histogram.bounds().size() + 1);
  EXPECT_DOUBLE_EQ(histogram.sum(), 27.2 + 1e9);
}

enum class Colour : std::uint8_t { red, green };

TEST(Family, HoldsOneMetricPerLabel) {
  Family<Counter, Colour, 2> family;
  family[Colour::green].add();
  family[Colour::green].add(4);
  EXPECT_EQ(family[Colour::red].value(), 0U);
  EXPECT_EQ(family[Colour::green].value(), 5U);
}

// SplitMix64's published sequence for this seed: the same on every machine.
TEST(Random, ASeedGivesAFixedSequence) {
  Random random(1234567);
  const std::uint64_t expected[] = {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                    4593380528125082431U, 16408922859458223821U};
  for (const std::uint64_t number : expected) EXPECT_EQ(random.next(), number);
}

TEST(Random, NumbersStayInTheirBounds) {
  Random random(7);
  for (int i = 0; i < 10'000; ++i) {
    const double unit = random.unit();
    EXPECT_TRUE(unit >= 0 && unit < 1);
    EXPECT_LT(random.below(3), 3U);
    const Duration jittered = random.jittered(10s, 0.3);
    EXPECT_TRUE(jittered >= 7s && jittered <= 13s);
  }
}

TEST(Random, BelowReachesEveryNumber) {
  Random random(7);
  int seen[2] = {0, 0};
  for (int i = 0; i < 1000; ++i) ++seen[random.below(2)];
  EXPECT_GT(seen[0], 400);
  EXPECT_GT(seen[1], 400);
}

}  // namespace
}  // namespace ferryman
