// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/queues.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view handle_prefix = "AQEB";
constexpr std::size_t tag_digits = 12;
constexpr std::size_t nonce_digits = 16;
constexpr Duration longest_hidden = std::chrono::hours{12};

}  // namespace

Queue::Queue(std::string name, Timeline& timeline, Random& random, Journal& journal)
    : name_(std::move(name)),
      tag_(fresh_hex(random, tag_digits)),
      timeline_(timeline),
      random_(random),
      journal_(journal),
      changed_(timeline.clock()) {}

std::string Queue::send(std::string body, const std::map<std::string, std::string>& about) {
  QueueMessage message;
  message.body = std::move(body);
  return send(std::move(message), Duration{0}, about);
}

std::string Queue::send(QueueMessage message, Duration delay,
                        const std::map<std::string, std::string>& about) {
  message.id = fresh_uuid(random_);
  message.sent = timeline_.clock().wall();
  message.visible_at = timeline_.clock().now() + delay;
  const std::string id = message.id;
  const std::uint64_t number = ++last_;
  messages_.emplace(number, std::move(message));
  auto details = about;
  details["queue"] = name_;
  journal_.fact("message.sent", id, std::move(details));
  timeline_.after(settings.retention, [this, number] {
    const auto expired = messages_.find(number);
    if (expired == messages_.end()) return;
    journal_.fact("message.expired", expired->second.id, {{"queue", name_}});
    messages_.erase(expired);
  });
  changed_.notify_all();
  return id;
}

std::vector<QueueMessage> Queue::take_visible(std::size_t most, Duration visibility) {
  const SteadyTime now = timeline_.clock().now();
  std::vector<QueueMessage> taken;
  for (auto& [number, message] : messages_) {
    if (taken.size() == most) break;
    if (message.visible_at > now) continue;
    if (message.receive_count++ == 0) message.first_received = timeline_.clock().wall();
    message.last_received = now;
    message.visible_at = now + visibility;
    message.receipt =
        std::string(handle_prefix) + tag_ + fresh_hex(random_, nonce_digits) + std::to_string(number);
    taken.push_back(message);
  }
  return taken;
}

SteadyTime Queue::next_visible(SteadyTime until) const {
  const SteadyTime now = timeline_.clock().now();
  for (const auto& [number, message] : messages_) {
    if (message.visible_at > now) until = std::min(until, message.visible_at);
  }
  return until;
}

Task<std::vector<QueueMessage>> Queue::receive(std::size_t most, Duration wait, Duration visibility) {
  const SteadyTime until = timeline_.clock().now() + wait;
  for (;;) {
    auto taken = take_visible(most, visibility);
    if (!taken.empty() || timeline_.clock().now() >= until) co_return taken;
    co_await changed_.wait_until(next_visible(until));
  }
}

Queue::Messages::iterator Queue::find(std::string_view receipt, ReceiptAnswer& answer) {
  const std::string start = std::string(handle_prefix) + tag_;
  constexpr std::size_t number_at = handle_prefix.size() + tag_digits + nonce_digits;
  answer.kind = ReceiptAnswer::Kind::invalid;
  if (!receipt.starts_with(start) || receipt.size() <= number_at) return messages_.end();
  std::uint64_t number = 0;
  const char* const end = receipt.data() + receipt.size();
  const auto parsed = std::from_chars(receipt.data() + number_at, end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number == 0 || number > last_) return messages_.end();
  answer.kind = ReceiptAnswer::Kind::stale;
  const auto found = messages_.find(number);
  if (found == messages_.end()) return found;
  answer.message_id = found->second.id;
  if (found->second.receipt != receipt) return messages_.end();
  answer.kind = ReceiptAnswer::Kind::ok;
  return found;
}

ReceiptAnswer Queue::remove(std::string_view receipt) {
  ReceiptAnswer answer;
  const auto found = find(receipt, answer);
  if (found != messages_.end()) messages_.erase(found);
  return answer;
}

ReceiptAnswer Queue::change_visibility(std::string_view receipt, Duration visibility) {
  ReceiptAnswer answer;
  const auto found = find(receipt, answer);
  if (found == messages_.end()) return answer;
  QueueMessage& message = found->second;
  const SteadyTime now = timeline_.clock().now();
  if (message.visible_at <= now) {
    answer.kind = ReceiptAnswer::Kind::not_in_flight;
  } else if (now + visibility > message.last_received + longest_hidden) {
    answer.kind = ReceiptAnswer::Kind::too_long;
  } else {
    message.visible_at = now + visibility;
    changed_.notify_all();
  }
  return answer;
}

void Queue::purge() {
  for (const auto& [number, message] : messages_)
    journal_.fact("message.expired", message.id, {{"queue", name_}});
  messages_.clear();
}

QueueCounts Queue::counts() const {
  QueueCounts counts;
  const SteadyTime now = timeline_.clock().now();
  for (const auto& [number, message] : messages_) {
    if (message.visible_at <= now) {
      ++counts.visible;
    } else if (message.receive_count > 0) {
      ++counts.in_flight;
    } else {
      ++counts.delayed;
    }
  }
  return counts;
}

Queue& Queues::create(const std::string& name) {
  auto& queue = queues_[name];
  if (queue == nullptr) queue = std::make_unique<Queue>(name, timeline_, random_, journal_);
  return *queue;
}

Queue* Queues::find(std::string_view name) {
  const auto found = queues_.find(name);
  return found == queues_.end() ? nullptr : found->second.get();
}

}  // namespace ferryman::sandbox
