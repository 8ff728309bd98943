// SPDX-License-Identifier: Apache-2.0
#include "base/simulated_clock.h"

#include <algorithm>

namespace ferryman {

namespace {
// Away from zero, so that "now minus an hour" stays a sane time.
constexpr Duration steady_start = std::chrono::hours{1000};
}  // namespace

SimulatedClock::SimulatedClock(boost::asio::io_context& loop, WallTime start)
    : Clock(loop.get_executor()), loop_(loop), start_(start), now_(steady_start), offset_(steady_start) {}

void SimulatedClock::arm(Timer& timer, SteadyTime time) {
  timer.timer_.expires_at(SteadyTime::max());
  timer.ticket_ = next_ticket_++;
  sleepers_.emplace(std::pair{time, timer.ticket_}, &timer);
}

void SimulatedClock::disarm(Timer& timer) {
  if (timer.ticket_ == 0) return;
  sleepers_.erase({timer.at_, timer.ticket_});
  timer.ticket_ = 0;
}

bool SimulatedClock::wake_next(SteadyTime until) {
  if (sleepers_.empty()) return false;
  const auto next = sleepers_.begin();
  if (next->first.first > until) return false;
  Timer& timer = *next->second;
  now_ = std::max(now_, next->first.first);
  timer.ticket_ = 0;
  sleepers_.erase(next);
  timer.timer_.cancel();
  return true;
}

bool SimulatedClock::run(const std::function<bool()>& done, SteadyTime until) {
  for (;;) {
    loop_.restart();
    while (loop_.poll_one() > 0) {
      if (done()) return true;
    }
    if (done()) return true;
    if (!wake_next(until)) return false;
  }
}

void SimulatedClock::advance(Duration duration) {
  const SteadyTime until = now_ + duration;
  (void)run([] { return false; }, until);
  now_ = std::max(now_, until);
}

}  // namespace ferryman
