// SPDX-License-Identifier: Apache-2.0
#include "net/retry.h"

#include <algorithm>

namespace ferryman::net {

Duration back_off(const BackOff& policy, int n, Duration retry_after, Random& random) {
  constexpr int most_doublings = 30;
  const Duration grown = policy.first * (std::int64_t{1} << std::clamp(n - 1, 0, most_doublings));
  const Duration middle = std::min(grown, policy.longest);
  return std::max(random.jittered(middle, policy.jitter), retry_after);
}

bool RetryBudget::take() {
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

void RetryBudget::success() {
  constexpr double share = 0.1;
  tokens_ = std::min(tokens_ + share, most_);
}

Task<bool> Retry::again(const Error& error) {
  if (!is_retryable(error.fault) || attempt_ >= policy_.attempts) co_return false;
  const Duration wait = back_off(policy_, attempt_, error.retry_after, random_);
  if (wait >= deadline_.left(clock_) || !budget_.take()) co_return false;
  ++attempt_;
  co_await clock_.sleep_for(wait);
  co_return true;
}

}  // namespace ferryman::net
