// SPDX-License-Identifier: Apache-2.0
// Simulation: an event loop under a simulated clock, and `run` for coroutines in tests.
#pragma once

#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/scope.h"
#include "base/simulated_clock.h"

namespace ferryman::test {

/// Keeps log lines for assertions.
class LogCapture final : public LogSink {
 public:
  void write(const LogRecord& record) override { lines.push_back(format_text(record)); }

  /// The lines that contain `text`.
  [[nodiscard]] std::vector<std::string> with(std::string_view text) const {
    std::vector<std::string> found;
    for (const std::string& line : lines) {
      if (line.find(text) != std::string::npos) found.push_back(line);
    }
    return found;
  }

  std::vector<std::string> lines;
};

class Simulation {
 public:
  Simulation() = default;

  ~Simulation() {
    scope.cancel();
    clock.advance(std::chrono::seconds{0});
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Runs the coroutine to its end in simulated time and gives its value. Throws when it does not end in a
  /// day.
  template <class T>
  T run(Task<T> task) {
    std::optional<T> value;
    scope.spawn("test", keep(std::move(task), value));
    if (!clock.run([&] { return value.has_value(); }, clock.now() + std::chrono::hours{24})) {
      throw std::runtime_error("the coroutine did not end");
    }
    return std::move(*value);
  }

  void run(Task<void> task) { (void)run(flagged(std::move(task))); }

  boost::asio::io_context loop{1};
  SimulatedClock clock{loop, *parse_rfc3339("2026-03-01T12:00:00Z")};
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
