// SPDX-License-Identifier: Apache-2.0
// Timeline: what the sandbox's world will do by itself, and when. Actions run one after another in the order
// of their times (ties: in the order they were planned), on the event loop, from `run`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "base/clock.h"

namespace ferryman::sandbox {

class Timeline {
 public:
  using Action = std::function<void()>;
  using Ticket = std::uint64_t;  // 0 is never given out

  explicit Timeline(Clock& clock) : clock_(clock), changed_(clock) {}

  Ticket at(SteadyTime time, Action action);
  Ticket after(Duration duration, Action action) { return at(clock_.now() + duration, std::move(action)); }
  /// Without effect when the action has run already.
  void cancel(Ticket ticket);

  /// Runs what is due until it is cancelled; spawn it once in the scope that owns the world.
  Task<void> run();

  [[nodiscard]] Clock& clock() const { return clock_; }

 private:
  void run_due();

  Clock& clock_;
  Signal changed_;
  Ticket last_ = 0;
  std::map<std::pair<SteadyTime, Ticket>, Action> actions_;
  std::map<Ticket, SteadyTime> times_;
};

}  // namespace ferryman::sandbox
