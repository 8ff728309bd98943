// SPDX-License-Identifier: Apache-2.0
#include "termination/shadow/shadow_queue.h"

#include <algorithm>

namespace ferryman::termination::shadow {

namespace {

// What is not hidden comes back at once: without a pause we would receive it again and again, and each time
// counts towards a redrive policy.
constexpr Duration pause = std::chrono::seconds{2};
constexpr std::size_t many = 20'000;
constexpr Duration remembered_for = std::chrono::hours{1};

}  // namespace

Task<Result<std::vector<Message>>> ShadowQueue::receive(int most, std::chrono::seconds wait,
                                                        std::chrono::seconds visibility, Deadline deadline) {
  const SteadyTime until = clock_.now() + wait;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(until - clock_.now());
    FERRYMAN_TRY(received, co_await real_.receive(most, left, std::chrono::seconds{0}, deadline));
    if (received.empty()) co_return received;
    std::vector<Message> fresh = visible(std::move(received), visibility);
    if (!fresh.empty()) co_return fresh;
    const SteadyTime next = clock_.now() + pause;
    co_await clock_.sleep_until(std::min(next, deadline.at()));
    if (clock_.now() >= until || deadline.passed(clock_)) co_return fresh;
  }
}

/// Those of them that a queue would hand out now.
std::vector<Message> ShadowQueue::visible(std::vector<Message> received, std::chrono::seconds visibility) {
  forget_old();
  std::vector<Message> fresh;
  for (Message& message : received) {
    Row& row = rows_[message.id];
    row.seen = clock_.now();
    if (row.hidden_until > clock_.now()) continue;
    owners_.erase(row.handle);
    row.handle = message.receipt_handle;
    row.hidden_until = clock_.now() + visibility;
    owners_[row.handle] = message.id;
    fresh.push_back(std::move(message));
  }
  return fresh;
}

ShadowQueue::Row* ShadowQueue::row_of(const std::string& handle) {
  const auto owner = owners_.find(handle);
  if (owner == owners_.end()) return nullptr;
  const auto row = rows_.find(owner->second);
  return row == rows_.end() ? nullptr : &row->second;
}

void ShadowQueue::forget_old() {
  if (rows_.size() < many) return;
  std::erase_if(rows_, [&](const auto& entry) {
    const bool old = clock_.now() - entry.second.seen > remembered_for;
    if (old) owners_.erase(entry.second.handle);
    return old;
  });
}

Task<std::vector<Result<void>>> ShadowQueue::remove(std::vector<std::string> receipt_handles,
                                                    Deadline /*deadline*/) {
  for (const std::string& handle : receipt_handles) {
    Row* row = row_of(handle);
    if (row != nullptr) row->hidden_until = SteadyTime::max();
  }
  log_.info("shadow.would", {{"call", "DeleteMessageBatch"}, {"messages", receipt_handles.size()}});
  co_return std::vector<Result<void>>(receipt_handles.size());
}

Task<std::vector<Result<void>>> ShadowQueue::set_visibility(std::vector<Hiding> wishes,
                                                            Deadline /*deadline*/) {
  for (const Hiding& wish : wishes) {
    Row* row = row_of(wish.receipt_handle);
    if (row != nullptr) row->hidden_until = clock_.now() + wish.visibility;
  }
  log_.debug("shadow.would", {{"call", "ChangeMessageVisibilityBatch"}, {"messages", wishes.size()}});
  co_return std::vector<Result<void>>(wishes.size());
}

}  // namespace ferryman::termination::shadow
