// SPDX-License-Identifier: Apache-2.0
// Timeline: what the sandbox's world will do by itself, and when. Actions run one after another in the order
// of their times (ties: in the order they were planned), on the event loop.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "base/scope.h"

namespace ferryman::sandbox {

class Timeline {
 public:
  using Action = std::function<void()>;
  using Ticket = std::uint64_t;  // 0 is never given out

  /// One coroutine of the scope does the actions. The scope may outlive the timeline: what is left is then
  /// never done.
  Timeline(Clock& clock, Scope& scope);
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;
  ~Timeline();

  Ticket at(SteadyTime time, Action action);
  Ticket after(Duration duration, Action action) { return at(clock_.now() + duration, std::move(action)); }
  /// Without effect when the action has run already.
  void cancel(Ticket ticket);

  [[nodiscard]] Clock& clock() const { return clock_; }

 private:
  struct Plan;
  static Task<void> run(std::shared_ptr<Plan> plan);

  Clock& clock_;
  std::shared_ptr<Plan> plan_;
};

}  // namespace ferryman::sandbox
