// SPDX-License-Identifier: Apache-2.0
// CallSlots: how many calls about pods all drains together have under way: thousands at once would cost
// memory here and throttling there. Who finds none free is woken in the order of asking.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "termination/ports/pods.h"

namespace ferryman::termination::drain {

/// One drain in the queue for a slot; at most once at a time.
class SlotWaiter {
 public:
  SlotWaiter() = default;

  std::weak_ptr<PodView> view;  // its signal wakes the drain
  bool queued = false;
};

class CallSlots {
 public:
  explicit CallSlots(std::size_t most) : free_(most) {}

  [[nodiscard]] std::size_t free() const { return free_; }
  void take() { --free_; }
  void give_back() {
    ++free_;
    while (!waiting_.empty()) {
      const std::shared_ptr<SlotWaiter> next = std::move(waiting_.front());
      waiting_.pop_front();
      next->queued = false;
      const auto view = next->view.lock();
      if (view == nullptr) continue;
      view->changed().notify_all();
      return;
    }
  }
  void wait(const std::shared_ptr<SlotWaiter>& waiter) {
    if (waiter->queued) return;
    waiter->queued = true;
    waiting_.push_back(waiter);
  }

 private:
  std::size_t free_;
  std::deque<std::shared_ptr<SlotWaiter>> waiting_;
};

}  // namespace ferryman::termination::drain
