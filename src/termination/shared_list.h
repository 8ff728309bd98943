// SPDX-License-Identifier: Apache-2.0
// SharedList: a list of the whole cluster that all terminations share: one asks, the others wait for the
// answer. What lacks is said once, with its effect and its cure.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/turn.h"
#include "termination/context.h"

namespace ferryman::termination {

template <class List>
class SharedList {
 public:
  using Answer = std::shared_ptr<const List>;
  using Ask = std::function<Task<Result<List>>(Deadline)>;
  /// Of a failure; `first`: it was not said since the last success.
  using Tell = std::function<void(const Error&, bool first)>;

  SharedList(Context& context, Ask ask, Tell tell)
      : context_(context), ask_(std::move(ask)), tell_(std::move(tell)), answered_(context.clock) {}

  /// No older than `fresh`, or than `stale` while it cannot be had anew; null: not known. After a denial it
  /// is asked for again every ten minutes.
  Task<Answer> get(Duration fresh, Duration stale, Deadline deadline) {
    while (asking_ && !deadline.passed(context_.clock)) co_await answered_.wait_until(deadline.at());
    if (!asking_ && age() > fresh && context_.clock.now() >= ask_again_) co_await ask_once(deadline);
    co_return age() <= stale ? answer_ : nullptr;
  }

  /// The newest failure was a missing right: asking again soon is of no use.
  [[nodiscard]] bool denied() const { return denied_; }

 private:
  [[nodiscard]] Duration age() const {
    return answer_ == nullptr ? Duration::max() : context_.clock.now() - at_;
  }

  Task<void> ask_once(Deadline deadline) {
    const Turn turn(asking_, answered_);
    auto list = co_await ask_(deadline);
    if (list) {
      answer_ = std::make_shared<const List>(std::move(*list));
      at_ = context_.clock.now();
      said_ = false;
      denied_ = false;
      co_return;
    }
    constexpr Duration soon = std::chrono::seconds{5};
    constexpr Duration seldom = std::chrono::minutes{10};
    denied_ = lacks_right(list.error());
    ask_again_ = context_.clock.now() + (denied_ ? seldom : soon);
    tell_(list.error(), !said_);
    said_ = true;
  }

  Context& context_;
  Ask ask_;
  Tell tell_;
  Answer answer_;
  SteadyTime at_{};
  SteadyTime ask_again_{};
  bool asking_ = false;
  bool said_ = false;
  bool denied_ = false;
  Signal answered_;
};

}  // namespace ferryman::termination
