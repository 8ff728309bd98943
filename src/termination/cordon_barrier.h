// SPDX-License-Identifier: Apache-2.0
// CordonBarrier: all nodes known to end are cordoned before the first eviction, so that no evicted pod lands
// on a node that ends next. Spot notices come in bursts: a moment is waited for the next one. Bounded: one
// node that cannot be cordoned does not hold up the others for long.
#pragma once

#include <algorithm>

#include "base/deadline.h"

namespace ferryman::termination {

class CordonBarrier {
 public:
  /// How long nothing new must have come.
  static constexpr Duration gathering = std::chrono::milliseconds{500};

  explicit CordonBarrier(Clock& clock) : clock_(clock), changed_(clock) {}

  void enter() {
    ++cordoning_;
    entered_ = clock_.now();
  }
  void leave() {
    --cordoning_;
    changed_.notify_all();
  }

  /// Until nobody cordons any more and the newest came `gathering` ago, at most `longest`.
  Task<void> wait(Duration longest) {
    const Deadline deadline = Deadline::after(clock_, longest);
    while (!deadline.passed(clock_)) {
      const SteadyTime quiet = entered_ + gathering;
      if (cordoning_ == 0 && clock_.now() >= quiet) co_return;
      const SteadyTime until = cordoning_ == 0 ? std::min(quiet, deadline.at()) : deadline.at();
      co_await changed_.wait_until(until);
    }
  }

 private:
  Clock& clock_;
  Signal changed_;
  SteadyTime entered_{};  // the newest
  int cordoning_ = 0;
};

/// Between enter and leave, whichever way the step ends.
class Cordoning {
 public:
  explicit Cordoning(CordonBarrier& barrier) : barrier_(barrier) { barrier_.enter(); }
  Cordoning(const Cordoning&) = delete;
  Cordoning& operator=(const Cordoning&) = delete;
  ~Cordoning() { barrier_.leave(); }

 private:
  CordonBarrier& barrier_;
};

}  // namespace ferryman::termination
