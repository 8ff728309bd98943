// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

namespace ferryman {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

double Random::unit() {
  return static_cast<double>(next() >> 11U) * 0x1.0p-53;
}

Duration Random::jittered(Duration middle, double share) {
  const double factor = 1.0 - share + 2.0 * share * unit();
  return Duration{static_cast<std::int64_t>(static_cast<double>(middle.count()) * factor)};
}

}  // namespace ferryman
