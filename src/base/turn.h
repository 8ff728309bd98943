// SPDX-License-Identifier: Apache-2.0
// Turn: one coroutine does something while the others wait for `over`. However it ends, by a return, a
// cancellation or a bug, the flag is cleared and the others are told.
#pragma once

#include "base/clock.h"

namespace ferryman {

class Turn {
 public:
  /// Both must outlive the turn.
  Turn(bool& taken, Signal& over) : taken_(taken), over_(over) { taken_ = true; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    taken_ = false;
    over_.notify_all();
  }

 private:
  bool& taken_;
  Signal& over_;
};

}  // namespace ferryman
