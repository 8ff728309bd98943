// SPDX-License-Identifier: Apache-2.0
// ProcessLoop: what every command that runs for a while has: one event loop, the machine's clock, a log,
// signals.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <string>

#include "app/settings.h"
#include "app/stderr_log.h"
#include "base/random.h"
#include "base/scope.h"

namespace ferryman::app {

class ProcessLoop {
 public:
  explicit ProcessLoop(const LogSettings& log);
  ProcessLoop(const ProcessLoop&) = delete;
  ProcessLoop& operator=(const ProcessLoop&) = delete;

  /// Called at the first SIGTERM or SIGINT, on the loop; it must make `run`'s task end. A second signal ends
  /// the process at once with status 1.
  void on_signal(std::function<void()> stop) { stop_ = std::move(stop); }

  /// Runs until the task is over; false when it ended by a bug.
  bool run(std::string name, Task<void> task);

  /// True from the first signal on.
  [[nodiscard]] bool stopping() const { return stopping_; }

  RealClock& clock() { return clock_; }
  Random& random() { return random_; }
  LogSink& sink() { return sink_; }
  const Log& log() { return log_; }

 private:
  void wait_for_signal();

  boost::asio::io_context loop_{1};
  RealClock clock_{loop_.get_executor()};
  Random random_;
  StderrLog sink_;
  Log log_;
  boost::asio::signal_set signals_;
  std::function<void()> stop_;
  bool stopping_ = false;
};

/// Unpredictable: for Random in real processes.
std::uint64_t random_seed();

}  // namespace ferryman::app
