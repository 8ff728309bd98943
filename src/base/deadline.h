// SPDX-License-Identifier: Apache-2.0
// Deadline: when a call must be over. Every call that waits takes one; a callee may only shorten it.
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace ferryman {

class Deadline {
 public:
  explicit Deadline(SteadyTime at) : at_(at) {}
  static Deadline after(const Clock& clock, Duration duration) { return Deadline(clock.now() + duration); }

  [[nodiscard]] SteadyTime at() const { return at_; }
  [[nodiscard]] bool passed(const Clock& clock) const { return clock.now() >= at_; }
  /// Never negative.
  [[nodiscard]] Duration left(const Clock& clock) const { return std::max(at_ - clock.now(), Duration{0}); }
  [[nodiscard]] Deadline earlier(Deadline other) const { return Deadline(std::min(at_, other.at_)); }
  /// At most `duration` from now.
  [[nodiscard]] Deadline at_most(const Clock& clock, Duration duration) const {
    return earlier(after(clock, duration));
  }

 private:
  SteadyTime at_;
};

}  // namespace ferryman
