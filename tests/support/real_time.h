// SPDX-License-Identifier: Apache-2.0
// RealTime: an event loop under the machine's clock, for tests that use sockets. See Simulation for its twin.
#pragma once

#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <stdexcept>

#include "base/scope.h"
#include "support/simulation.h"

namespace ferryman::test {

class RealTime {
 public:
  RealTime() = default;
  ~RealTime() {
    scope.cancel();
    run_until([this] { return scope.size() == 0; });
  }
  RealTime(const RealTime&) = delete;
  RealTime& operator=(const RealTime&) = delete;

  /// Runs the coroutine to its end and gives its value. Throws when it does not end in a minute.
  template <class T>
  T run(Task<T> task) {
    std::optional<T> value;
    scope.spawn("test", keep(std::move(task), value));
    if (!run_until([&] { return value.has_value(); })) throw std::runtime_error("the coroutine did not end");
    return std::move(*value);
  }

  void run(Task<void> task) { (void)run(flagged(std::move(task))); }

  /// False after a minute.
  template <class Done>
  bool run_until(Done done) {
    const SteadyTime end = clock.now() + std::chrono::minutes{1};
    while (!done() && clock.now() < end) {
      loop.restart();
      loop.run_one_for(std::chrono::milliseconds{100});
    }
    return done();
  }

  [[nodiscard]] Deadline in(Duration duration) const { return Deadline::after(clock, duration); }

  boost::asio::io_context loop{1};
  RealClock clock{loop.get_executor()};
  LogCapture logs;
  Log log{logs, clock, Level::debug};
  Scope scope{clock, log};

 private:
  template <class T>
  static Task<void> keep(Task<T> task, std::optional<T>& value) {
    value.emplace(co_await std::move(task));
  }
  static Task<bool> flagged(Task<void> task) {
    co_await std::move(task);
    co_return true;
  }
};

}  // namespace ferryman::test
