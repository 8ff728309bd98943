// SPDX-License-Identifier: Apache-2.0
// StderrLog: log lines to standard error, one write each. It never throws and never waits: when the reader is
// gone or too slow, lines are dropped and counted, and the work goes on.
#pragma once

#include <cstdint>

#include "base/log.h"

namespace ferryman::app {

class StderrLog final : public LogSink {
 public:
  /// `fd` stays the caller's; 2 but in tests.
  explicit StderrLog(bool json, int fd = 2) : json_(json), fd_(fd) {}

  void write(const LogRecord& record) override;
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  bool json_;
  int fd_;
  std::uint64_t dropped_ = 0;
};

}  // namespace ferryman::app
