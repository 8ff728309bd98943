// SPDX-License-Identifier: Apache-2.0
// Scope: owns coroutines. A child ends by returning, by cancellation (which only Scope catches) or by a bug
// (an exception: one error line, the process lives). A Scope must not die before its children.
#pragma once

#include <boost/asio/cancellation_signal.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/log.h"
#include "base/task.h"

namespace ferryman {

/// What went wrong in a coroutine; empty for a cancellation and for a normal end.
std::string failure_text(const std::exception_ptr& failure);

class Scope {
 public:
  Scope(Clock& clock, Log log) : clock_(clock), log_(std::move(log)), ended_(clock) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope();

  /// The task starts at the loop's next turn, never within the call. `name` stands in the log line of a child
  /// that fails.
  void spawn(std::string name, Task<void> task);

  /// For a loop that the process cannot do without: ended by a bug, it starts again a second later.
  void spawn_loop(std::string name, std::function<Task<void>()> loop);

  /// Asks all children to stop; they do at their next wait. New children may still be spawned.
  void cancel();

  /// True when no child is left, false when the deadline came first.
  Task<bool> join(Deadline deadline);

  [[nodiscard]] std::size_t size() const { return children_.size(); }

  /// How often a child or a loop ended by an exception that was not a cancellation.
  [[nodiscard]] std::uint64_t failures() const { return failures_; }

 private:
  struct Child {
    std::string name;
    boost::asio::cancellation_signal stop;
    bool over = false;
  };

  Task<void> next_turn(Task<void> task);
  Task<void> repeat(std::string name, std::function<Task<void>()> loop);
  void report(const std::string& name, const std::string& failure);
  void ended(std::list<Child>::iterator child, const std::exception_ptr& failure);

  Clock& clock_;
  Log log_;
  std::list<Child> children_;
  Signal ended_;
  std::uint64_t failures_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace ferryman
