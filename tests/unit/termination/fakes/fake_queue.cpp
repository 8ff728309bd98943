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

termination::QueueFacts FakeQueue::usual_facts() {
  termination::QueueFacts facts;
  facts.arn = "arn:aws:sqs:us-west-2:123456789012:ferryman";
  facts.account = "123456789012";
  return facts;
}

const Error* FakeQueue::refusal_of(const std::string& receipt_handle) const {
  const auto refused = refused_.find(receipt_handle.substr(0, receipt_handle.find('#')));
  return refused == refused_.end() ? nullptr : &refused->second;
}

Result<void> FakeQueue::remove_one(const std::string& receipt_handle, const Fate& fate) {
  if (const Error* error = refusal_of(receipt_handle)) return *error;
  if (fate.takes_effect)
    std::erase_if(stored_, [&](const auto& entry) { return entry.second.receipt == receipt_handle; });
  return fate.error ? Result<void>(*fate.error) : Result<void>();
}

Task<std::vector<Result<void>>> FakeQueue::remove(std::vector<std::string> receipt_handles,
                                                  Deadline deadline) {
  removals_at_once.push_back(receipt_handles.size());
  const Fate fate = co_await script_.enter("queue.remove", receipt_handles.front(), deadline);
  std::vector<Result<void>> results;
  for (const std::string& receipt_handle : receipt_handles)
    results.push_back(remove_one(receipt_handle, fate));
  co_return results;
}

Result<void> FakeQueue::hide_one(const termination::Hiding& wish, const Fate& fate) {
  if (const Error* error = refusal_of(wish.receipt_handle)) return *error;
  if (fate.takes_effect) {
    const auto found = std::find_if(stored_.begin(), stored_.end(), [&](const auto& entry) {
      return entry.second.receipt == wish.receipt_handle;
    });
    visibilities.push_back(wish.visibility);
    if (found == stored_.end()) return Error(Fault::invalid, "ReceiptHandleIsInvalid", "stale handle");
    found->second.visible_at = clock_.now() + wish.visibility;
    arrived_.notify_all();
  }
  return fate.error ? Result<void>(*fate.error) : Result<void>();
}

Task<std::vector<Result<void>>> FakeQueue::set_visibility(std::vector<termination::Hiding> wishes,
                                                          Deadline deadline) {
  hidings_at_once.push_back(wishes.size());
  const Fate fate = co_await script_.enter("queue.set_visibility", wishes.front().receipt_handle, deadline);
  std::vector<Result<void>> results;
  for (const termination::Hiding& wish : wishes) results.push_back(hide_one(wish, fate));
  co_return results;
}

Task<Result<termination::QueueFacts>> FakeQueue::facts(Deadline deadline) {
  const Fate fate = co_await script_.enter("queue.facts", {}, deadline);
  if (fate.error) co_return *fate.error;
  co_return about;
}

}  // namespace ferryman::test
