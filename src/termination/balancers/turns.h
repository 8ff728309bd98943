// SPDX-License-Identifier: Apache-2.0
// Turns: how many pools may be asked for a change at once. Who waits for one can still take more into its
// call, which a call that waits for its token no longer can.
#pragma once

#include "base/clock.h"

namespace ferryman::termination::balancers {

class Turns {
 public:
  Turns(Clock& clock, std::size_t at_once) : clock_(clock), free_(at_once), changed_(clock) {}

  /// Held as long as it lives.
  class Turn {
   public:
    explicit Turn(Turns& turns) : turns_(turns) { --turns_.free_; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      ++turns_.free_;
      turns_.changed_.notify_all();
    }

   private:
    Turns& turns_;
  };

  [[nodiscard]] bool is_free() const { return free_ > 0; }
  /// Until one may be free.
  Task<void> wait() {
    constexpr Duration look_again = std::chrono::seconds{10};
    (void)co_await changed_.wait_until(clock_.now() + look_again);
  }

 private:
  Clock& clock_;
  std::size_t free_;
  Signal changed_;
};

}  // namespace ferryman::termination::balancers
