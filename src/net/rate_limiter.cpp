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

constexpr int most_in_a_row = 7;  // then the least urgent has its turn

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

/// A place in the queue; whoever leaves it, in whatever way, lets the next one look.
class RateLimiter::Place {
 public:
  Place(RateLimiter& limiter, int rank) : limiter_(limiter) {
    const auto behind = std::find_if(limiter.queue_.begin(), limiter.queue_.end(),
                                     [&](const Waiter& other) { return other.rank < rank; });
    waiter_ = limiter.queue_.emplace(behind, limiter.clock_, rank);
    wake_next();  // who was the next may have to wait longer now
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    limiter_.queue_.erase(waiter_);
    wake_next();
  }

  [[nodiscard]] bool is_next() const { return limiter_.next() == waiter_; }
  Timer& timer() { return waiter_->timer; }

 private:
  void wake_next() {
    const auto next = limiter_.next();
    if (next != limiter_.queue_.end() && next != waiter_) next->timer.wake();
  }

  RateLimiter& limiter_;
  std::list<Waiter>::iterator waiter_;
};

std::list<RateLimiter::Waiter>::iterator RateLimiter::next() {
  if (in_a_row_ < most_in_a_row || queue_.empty()) return queue_.begin();
  const int least = queue_.back().rank;
  return std::find_if(queue_.begin(), queue_.end(), [&](const Waiter& one) { return one.rank == least; });
}

Task<Result<void>> RateLimiter::take(Deadline deadline, int rank) {
  refill();
  const auto ahead =
      std::count_if(queue_.begin(), queue_.end(), [&](const Waiter& one) { return one.rank >= rank; });
  if (until_tokens(static_cast<double>(ahead) + 1) > deadline.left(clock_)) co_return throttled();
  Place place(*this, rank);
  for (;;) {
    refill();
    if (place.is_next() && tokens_ >= 1 - rounding) {
      tokens_ -= 1;
      const bool passes_others = queue_.back().rank < rank;
      in_a_row_ = passes_others ? in_a_row_ + 1 : 0;
      co_return Result<void>();
    }
    if (deadline.passed(clock_)) co_return throttled();
    const SteadyTime turn = place.is_next() ? clock_.now() + until_tokens(1) : deadline.at();
    co_await place.timer().wait_until(std::min(turn, deadline.at()));
  }
}

}  // namespace ferryman::net
