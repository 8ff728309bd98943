// SPDX-License-Identifier: Apache-2.0
#include "base/scope.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <cassert>

namespace ferryman {

namespace asio = boost::asio;

std::string failure_text(const std::exception_ptr& failure) {
  if (!failure) return {};
  try {
    std::rethrow_exception(failure);
  } catch (const boost::system::system_error& error) {
    return error.code() == asio::error::operation_aborted ? std::string() : error.what();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown exception";
  }
}

Scope::~Scope() {
  assert(children_.empty());
}

// co_spawn dispatches: from inside the loop the task would run up to its first wait before spawn returns.
Task<void> Scope::next_turn(Task<void> task) {
  co_await asio::post(clock_.executor(), asio::use_awaitable);
  co_await std::move(task);
}

void Scope::spawn(std::string name, Task<void> task) {
  const auto child = children_.emplace(children_.end());
  child->name = std::move(name);
  // The signal must outlive the completion handler, so the child leaves the list one turn later.
  auto on_end = [this, child](const std::exception_ptr& failure) {
    child->over = true;
    asio::post(clock_.executor(), [this, child, failure] { ended(child, failure); });
  };
  asio::co_spawn(clock_.executor(), next_turn(std::move(task)),
                 asio::bind_cancellation_slot(child->stop.slot(), std::move(on_end)));
}

void Scope::spawn_loop(std::string name, std::function<Task<void>()> loop) {
  spawn(name, repeat(name, std::move(loop)));
}

Task<void> Scope::repeat(std::string name, std::function<Task<void>()> loop) {
  constexpr Duration pause = std::chrono::seconds{1};
  for (;;) {
    std::exception_ptr failure;
    try {
      co_await loop();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::string text = failure_text(failure);
    if (failure && text.empty()) std::rethrow_exception(failure);
    if (!failure) co_return;
    report(name, text);
    co_await clock_.sleep_for(pause);
  }
}

void Scope::report(const std::string& name, const std::string& failure) {
  ++failures_;
  log_.error("task.failed", {{"task", name}, {"error", failure}});
}

void Scope::ended(std::list<Child>::iterator child, const std::exception_ptr& failure) {
  const std::string text = failure_text(failure);
  if (!text.empty()) report(child->name, text);
  children_.erase(child);
  ended_.notify_all();
}

// Boost 1.81's co_spawn passes a signal on through the executor with a bare pointer. Emitted outside the
// loop, or to a child that is over, it would arrive after its target is gone; so it is emitted inside, to the
// living only.
void Scope::cancel() {
  asio::dispatch(clock_.executor(), [this, alive = std::weak_ptr(alive_)] {
    if (alive.expired()) return;
    for (Child& child : children_) {
      if (!child.over) child.stop.emit(asio::cancellation_type::terminal);
    }
  });
}

Task<bool> Scope::join(Deadline deadline) {
  while (!children_.empty()) {
    if (deadline.passed(clock_)) co_return false;
    co_await ended_.wait_until(deadline.at());
  }
  co_return true;
}

}  // namespace ferryman
