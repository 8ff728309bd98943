// SPDX-License-Identifier: Apache-2.0
// Random: the only source of chance. The same seed gives the same numbers on every machine.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace ferryman {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();

  /// In [0, 1).
  double unit();

  /// In [0, bound); bound must not be 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

  /// `middle` ± `share` of it: jittered(10 s, 0.3) lies in 7–13 s.
  Duration jittered(Duration middle, double share);

 private:
  std::uint64_t state_;
};

}  // namespace ferryman
