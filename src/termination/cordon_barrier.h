// SPDX-License-Identifier: Apache-2.0
// CordonBarrier: all nodes known to end are cordoned before the first eviction, so that no evicted pod lands
// on a node that ends next. Bounded: one node that cannot be cordoned does not hold up the others for long.
#pragma once

#include "base/deadline.h"

namespace ferryman::termination {

class CordonBarrier {
 public:
  explicit CordonBarrier(Clock& clock) : clock_(clock), changed_(clock) {}

  void enter() { ++cordoning_; }
  void leave() {
    --cordoning_;
    changed_.notify_all();
  }

  /// Until nobody cordons any more, at most `longest`.
  Task<void> wait(Duration longest) {
    const Deadline deadline = Deadline::after(clock_, longest);
    while (cordoning_ > 0 && !deadline.passed(clock_)) co_await changed_.wait_until(deadline.at());
  }

 private:
  Clock& clock_;
  Signal changed_;
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
