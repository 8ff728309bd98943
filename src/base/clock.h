// SPDX-License-Identifier: Apache-2.0
// Clock: the only source of time. Timer and Signal are the only ways to wait for it.
// RealClock follows the machine; SimulatedClock stands still until nothing is left to do, then jumps.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <list>

#include "base/task.h"
#include "base/time.h"

namespace ferryman {

class Timer;

class Clock {
 public:
  explicit Clock(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  [[nodiscard]] virtual SteadyTime now() const = 0;
  [[nodiscard]] virtual WallTime wall() const = 0;

  /// Throws boost::system::system_error(operation_aborted) when the coroutine is cancelled.
  Task<void> sleep_until(SteadyTime time);
  Task<void> sleep_for(Duration duration);

  [[nodiscard]] const boost::asio::any_io_executor& executor() const { return executor_; }

 private:
  friend class Timer;
  virtual void arm(Timer& timer, SteadyTime time) = 0;
  virtual void disarm(Timer& timer) = 0;

  boost::asio::any_io_executor executor_;
};

/// One wait at a time; a Timer may be waited on again and again.
class Timer {
 public:
  explicit Timer(Clock& clock);
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer();

  /// True when `wake` ended the wait, false when the time came. Throws when cancelled.
  Task<bool> wait_until(SteadyTime time);

  /// Ends the wait now, from anywhere on the event loop; without effect when nobody waits.
  void wake();

 private:
  friend class Clock;
  friend class RealClock;
  friend class SimulatedClock;

  Clock& clock_;
  boost::asio::steady_timer timer_;
  std::uint64_t ticket_ = 0;  // SimulatedClock's key; 0: not armed
  SteadyTime at_{};
  bool waiting_ = false;
  bool woken_ = false;
};

/// Tells all who wait that something changed. A notification without a waiter is not kept:
/// look at the state first, then wait.
class Signal {
 public:
  explicit Signal(Clock& clock) : clock_(clock) {}
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  void notify_all();

  /// True when notified, false when `time` came first. Throws when cancelled.
  Task<bool> wait_until(SteadyTime time);

  /// A cheap way to see a change without waiting: grows with each notification.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  Clock& clock_;
  std::list<Timer*> waiting_;
  std::uint64_t version_ = 0;
};

class RealClock final : public Clock {
 public:
  using Clock::Clock;
  [[nodiscard]] SteadyTime now() const override;
  [[nodiscard]] WallTime wall() const override;

 private:
  void arm(Timer& timer, SteadyTime time) override;
  void disarm(Timer& timer) override;
};

}  // namespace ferryman
