// SPDX-License-Identifier: Apache-2.0
// The one retry loop: jittered exponential back-off, a budget per service, Retry-After obeyed. Use:
//   for (Retry retry(context, deadline);;) {
//     auto answer = co_await once();
//     if (answer || !co_await retry.again(answer.error())) co_return answer;
//   }
// Only calls that are safe to repeat may be in such a loop.
#pragma once

#include "base/deadline.h"
#include "base/error.h"
#include "base/random.h"
#include "base/task.h"

namespace ferryman::net {

struct BackOff {
  Duration first = std::chrono::milliseconds{200};
  Duration longest = std::chrono::seconds{10};
  double jitter = 0.5;
  int attempts = 5;  // in all, the first included
};

/// The wait before attempt n + 1 (n ≥ 1): min(first · 2^(n−1), longest) ± jitter, never under `retry_after`.
Duration back_off(const BackOff& policy, int n, Duration retry_after, Random& random);

/// Keeps retries from multiplying an outage: each retry takes a token, each success gives a tenth back.
class RetryBudget {
 public:
  explicit RetryBudget(double tokens = 20) : tokens_(tokens), most_(tokens) {}
  bool take();
  void success();

 private:
  double tokens_;
  double most_;
};

class Retry {
 public:
  Retry(Clock& clock, Random& random, RetryBudget& budget, const BackOff& policy, Deadline deadline)
      : clock_(clock), random_(random), budget_(budget), policy_(policy), deadline_(deadline) {}

  /// Waits and says true when the call should be made again; false when the error is final, the attempts or
  /// the budget are used up, or the wait would pass the deadline.
  Task<bool> again(const Error& error);
  void success() { budget_.success(); }
  [[nodiscard]] int attempt() const { return attempt_; }

 private:
  Clock& clock_;
  Random& random_;
  RetryBudget& budget_;
  BackOff policy_;
  Deadline deadline_;
  int attempt_ = 1;
};

}  // namespace ferryman::net
