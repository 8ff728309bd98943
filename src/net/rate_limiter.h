// SPDX-License-Identifier: Apache-2.0
// RateLimiter: a token bucket for one API. Callers pass in the order of their arrival. It slows down when the
// service says so: others (the cluster's controllers) may share its rate.
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

  /// Waits for its turn. Error: throttled, at once when those ahead leave no token before the deadline.
  Task<Result<void>> take(Deadline deadline);

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
  std::list<Timer> queue_;
};

}  // namespace ferryman::net
