// SPDX-License-Identifier: Apache-2.0
#include "net/rate_limiter.h"

#include <algorithm>

namespace ferryman::net {

namespace {

constexpr double lowest_share = 0.1;
constexpr double rounding = 1e-6;  // else a sleeper may wake a hair too early, again and again
constexpr Duration recovery = std::chrono::minutes{1};
constexpr Duration same_trouble = std::chrono::seconds{1};  // calls that were on their way together

Duration from_seconds(double count) {
  return std::chrono::ceil<Duration>(std::chrono::duration<double>(count));
}

double as_seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

Error throttled() {
  return Error(Fault::throttled, "waiting for a turn: too many calls ahead for the deadline");
}

/// A place in the queue; whoever leaves it, in whatever way, lets the next one look.
class Place {
 public:
  Place(std::list<Timer>& queue, Clock& clock) : queue_(queue), timer_(queue.emplace(queue.end(), clock)) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    queue_.erase(timer_);
    if (!queue_.empty()) queue_.front().wake();
  }

  [[nodiscard]] bool first() const { return timer_ == queue_.begin(); }
  Timer& timer() { return *timer_; }

 private:
  std::list<Timer>& queue_;
  std::list<Timer>::iterator timer_;
};

}  // namespace

RateLimiter::RateLimiter(Clock& clock, double burst, double per_second)
    : clock_(clock),
      burst_(burst),
      full_rate_(per_second),
      tokens_(burst),
      slowed_rate_(per_second),
      slowed_at_(clock.now()),
      refilled_at_(clock.now()) {}

double RateLimiter::rate() const {
  const double recovered = as_seconds(clock_.now() - slowed_at_) / as_seconds(recovery);
  return std::min(full_rate_, slowed_rate_ + full_rate_ * recovered);
}

void RateLimiter::refill() {
  const SteadyTime now = clock_.now();
  tokens_ = std::min(burst_, tokens_ + as_seconds(now - refilled_at_) * rate());
  refilled_at_ = now;
}

Duration RateLimiter::until_tokens(double count) const {
  return from_seconds(std::max(count - tokens_, 0.0) / rate());
}

void RateLimiter::slow_down() {
  refill();
  tokens_ = std::min(tokens_, 0.0);
  const SteadyTime now = clock_.now();
  if (slowed_rate_ < full_rate_ && now - slowed_at_ < same_trouble) return;
  slowed_rate_ = std::max(rate() / 2, full_rate_ * lowest_share);
  slowed_at_ = now;
}

Task<Result<void>> RateLimiter::take(Deadline deadline) {
  refill();
  const auto ahead = static_cast<double>(queue_.size());
  if (until_tokens(ahead + 1) > deadline.left(clock_)) co_return throttled();
  Place place(queue_, clock_);
  for (;;) {
    refill();
    if (place.first() && tokens_ >= 1 - rounding) {
      tokens_ -= 1;
      co_return Result<void>();
    }
    if (deadline.passed(clock_)) co_return throttled();
    const SteadyTime next = place.first() ? clock_.now() + until_tokens(1) : deadline.at();
    co_await place.timer().wait_until(std::min(next, deadline.at()));
  }
}

}  // namespace ferryman::net
