// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <cassert>

namespace ferryman {

namespace asio = boost::asio;

Task<void> Clock::sleep_until(SteadyTime time) {
  Timer timer(*this);
  (void)co_await timer.wait_until(time);
}

Task<void> Clock::sleep_for(Duration duration) {
  Timer timer(*this);
  (void)co_await timer.wait_until(now() + duration);
}

Timer::Timer(Clock& clock) : clock_(clock), timer_(clock.executor()) {}

Timer::~Timer() {
  if (waiting_) clock_.disarm(*this);
}

Task<bool> Timer::wait_until(SteadyTime time) {
  assert(!waiting_);
  at_ = time;
  woken_ = false;
  waiting_ = true;
  clock_.arm(*this, time);
  co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
  waiting_ = false;
  clock_.disarm(*this);
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    throw boost::system::system_error(asio::error::operation_aborted);
  }
  co_return woken_;
}

void Timer::wake() {
  if (!waiting_) return;
  woken_ = true;
  timer_.cancel();
}

void Signal::notify_all() {
  ++version_;
  for (Timer* timer : waiting_) timer->wake();
}

namespace {

/// Takes a waiter off the list whichever way its wait ends.
class Enlisted {
 public:
  Enlisted(std::list<Timer*>& list, Timer* timer) : list_(list), place_(list.insert(list.end(), timer)) {}
  Enlisted(const Enlisted&) = delete;
  Enlisted& operator=(const Enlisted&) = delete;
  ~Enlisted() { list_.erase(place_); }

 private:
  std::list<Timer*>& list_;
  std::list<Timer*>::iterator place_;
};

}  // namespace

Task<bool> Signal::wait_until(SteadyTime time) {
  Timer timer(clock_);
  const Enlisted enlisted(waiting_, &timer);
  co_return co_await timer.wait_until(time);
}

SteadyTime RealClock::now() const {
  return std::chrono::steady_clock::now();
}
WallTime RealClock::wall() const {
  return std::chrono::system_clock::now();
}
void RealClock::arm(Timer& timer, SteadyTime time) {
  timer.timer_.expires_at(time);
}
void RealClock::disarm(Timer& /*timer*/) {}

}  // namespace ferryman
