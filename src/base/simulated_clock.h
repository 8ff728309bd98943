// SPDX-License-Identifier: Apache-2.0
// SimulatedClock: time that moves only when the event loop has nothing left to do, straight to the next
// sleeper.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <utility>

#include "base/clock.h"

namespace ferryman {

class SimulatedClock final : public Clock {
 public:
  /// Both clocks start at `start`; the loop must outlive the clock.
  explicit SimulatedClock(boost::asio::io_context& loop, WallTime start);

  [[nodiscard]] SteadyTime now() const override { return now_; }
  [[nodiscard]] WallTime wall() const override { return start_ + now_.time_since_epoch() - offset_; }

  /// Runs until `done` says so. False: nobody is left to wake, or `until` has come.
  bool run(const std::function<bool()>& done, SteadyTime until);

  /// Runs all that is due up to `now() + duration`, and leaves the clock there.
  void advance(Duration duration);

  [[nodiscard]] std::size_t sleepers() const { return sleepers_.size(); }

 private:
  void arm(Timer& timer, SteadyTime time) override;
  void disarm(Timer& timer) override;
  bool wake_next(SteadyTime until);

  boost::asio::io_context& loop_;
  WallTime start_;
  SteadyTime now_;
  Duration offset_;
  std::uint64_t next_ticket_ = 1;
  std::map<std::pair<SteadyTime, std::uint64_t>, Timer*> sleepers_;  // in order of waking, ties by arrival
};

}  // namespace ferryman
