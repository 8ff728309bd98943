// SPDX-License-Identifier: Apache-2.0
// RateLimiter: a token bucket for one API. The more urgent pass first, and of those the earlier; every eighth
// token goes to the least urgent, so that none starves. It slows down when the service says so: others (the
// cluster's controllers) may share its rate.
#pragma once

#include <list>

#include "base/deadline.h"
#include "base/result.h"
#include "base/task.h"

namespace ferryman::net {

class RateLimiter {
 public:
  /// `burst` calls at once, then `per_second`; both must be positive.
  RateLimiter(Clock& clock, double burst, double per_second);
  RateLimiter(const RateLimiter&) = delete;
  RateLimiter& operator=(const RateLimiter&) = delete;

  /// Waits for its turn. Higher ranks pass before lower ones. Error: throttled, at once when those ahead
  /// leave no token before the deadline.
  Task<Result<void>> take(Deadline deadline, int rank = 0);

  /// The service throttled a call: empties the bucket and halves the rate, at most once a second and down to
  /// a tenth of the full rate. A minute without another one brings the full rate back.
  void slow_down();

  /// Per second, now.
  [[nodiscard]] double rate() const;

 private:
  void refill();
  [[nodiscard]] Duration until_tokens(double count) const;

  Clock& clock_;
  double burst_;
  double full_rate_;
  double tokens_;
  double slowed_rate_;  // at slowed_at_
  SteadyTime slowed_at_;
  SteadyTime refilled_at_;
  struct Waiter {
    Waiter(Clock& clock, int rank_in) : timer(clock), rank(rank_in) {}

    Timer timer;
    int rank;
  };
  class Place;

  [[nodiscard]] std::list<Waiter>::iterator next();

  std::list<Waiter> queue_;  // the most urgent first, and of those the earliest
  int in_a_row_ = 0;         // tokens that passed somebody by
};

}  // namespace ferryman::net
