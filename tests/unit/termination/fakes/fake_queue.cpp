// SPDX-License-Identifier: Apache-2.0
#include "unit/termination/fakes/fake_queue.h"

#include <algorithm>

namespace ferryman::test {

using termination::Message;

void FakeQueue::send(const std::string& id, std::string body) {
  stored_[id] = Stored{std::move(body), {}, clock_.now(), 0};
  arrived_.notify_all();
}

bool FakeQueue::visible(const std::string& id) const {
  return holds(id) && stored_.at(id).visible_at <= clock_.now();
}

std::vector<Message> FakeQueue::take(int most, std::chrono::seconds visibility) {
  std::vector<Message> taken;
  for (auto& [id, stored] : stored_) {
    if (stored.visible_at > clock_.now() || static_cast<int>(taken.size()) == most) continue;
    stored.receipt = id + "#" + std::to_string(++receipts_);
    stored.visible_at = clock_.now() + visibility;
    Message message;
    message.id = id;
    message.receipt_handle = stored.receipt;
    message.body = stored.body;
    message.receive_count = ++stored.receive_count;
    taken.push_back(std::move(message));
  }
  return taken;
}

SteadyTime FakeQueue::next_visible() const {
  SteadyTime next = SteadyTime::max();
  for (const auto& [id, stored] : stored_) next = std::min(next, stored.visible_at);
  return next;
}

Task<Result<std::vector<Message>>> FakeQueue::receive(int most, std::chrono::seconds wait,
                                                      std::chrono::seconds visibility, Deadline deadline) {
  const Fate fate = co_await script_.enter("queue.receive", {}, deadline);
  if (fate.error) co_return *fate.error;
  const SteadyTime until = std::min(clock_.now() + wait, deadline.at());
  for (;;) {
    auto taken = take(most, visibility);
    if (!taken.empty() || clock_.now() >= until) co_return taken;
    co_await arrived_.wait_until(std::min(until, next_visible()));
  }
}

Task<Result<void>> FakeQueue::remove(std::string receipt_handle, Deadline deadline) {
  const Fate fate = co_await script_.enter("queue.remove", receipt_handle, deadline);
  if (fate.takes_effect) {
    std::erase_if(stored_, [&](const auto& entry) { return entry.second.receipt == receipt_handle; });
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

Task<Result<void>> FakeQueue::set_visibility(std::string receipt_handle, std::chrono::seconds visibility,
                                             Deadline deadline) {
  const Fate fate = co_await script_.enter("queue.set_visibility", receipt_handle, deadline);
  const auto found = std::find_if(stored_.begin(), stored_.end(),
                                  [&](const auto& entry) { return entry.second.receipt == receipt_handle; });
  if (fate.takes_effect) {
    visibilities.push_back(visibility);
    if (found == stored_.end()) co_return Error(Fault::invalid, "ReceiptHandleIsInvalid", "stale handle");
    found->second.visible_at = clock_.now() + visibility;
    arrived_.notify_all();
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

}  // namespace ferryman::test
