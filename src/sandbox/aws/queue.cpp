// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/queue.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "sandbox/aws/fresh_ids.h"
#include "sandbox/aws/message_facts.h"
#include "sandbox/aws/queues.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view handle_prefix = "AQEB";
constexpr std::size_t tag_digits = 12;
constexpr std::size_t nonce_digits = 16;
constexpr Duration longest_hidden = std::chrono::hours{12};

}  // namespace

Queue::Queue(std::string name, Queues& all, Timeline& timeline, Random& random, Journal& journal)
    : created(timeline.clock().wall()),
      modified(created),
      name_(std::move(name)),
      tag_(fresh_hex(random, tag_digits)),
      all_(all),
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
  auto details = about;
  details.merge(message_facts(message.body, message.sent));
  details["queue"] = name_;
  journal_.fact("message.sent", id, std::move(details));
  adopt(std::move(message));
  return id;
}

void Queue::show_at(std::uint64_t number, QueueMessage& message, SteadyTime when) {
  by_visibility_.erase({message.visible_at, message.turn});
  message.visible_at = when;
  message.turn = ++last_turn_;
  by_visibility_.emplace(std::pair(when, message.turn), number);
}

Queue::Messages::node_type Queue::take_out(Messages::iterator at) {
  timeline_.cancel(at->second.expiry);
  by_visibility_.erase({at->second.visible_at, at->second.turn});
  return messages_.extract(at);
}

void Queue::adopt(QueueMessage message) {
  const std::uint64_t number = ++last_;
  message.turn = 0;  // that of the queue it comes from
  QueueMessage& kept = messages_.emplace(number, std::move(message)).first->second;
  show_at(number, kept, kept.visible_at);
  arm_expiry(number);
  changed_.notify_all();
}

/// Counted from the sending, in a dead-letter queue too.
void Queue::arm_expiry(std::uint64_t number) {
  QueueMessage& message = messages_.at(number);
  timeline_.cancel(message.expiry);
  const Duration left = message.sent + settings.retention - timeline_.clock().wall();
  message.expiry = timeline_.after(std::max(left, Duration{0}), [this, number] {
    const auto expired = messages_.find(number);
    if (expired == messages_.end()) return;
    journal_.fact("message.expired", expired->second.id, {{"queue", name_}});
    take_out(expired);
  });
}

void Queue::change(QueueSettings changed) {
  settings = std::move(changed);
  modified = timeline_.clock().wall();
  for (const auto& [number, message] : messages_) arm_expiry(number);
}

/// Where a message goes instead of being received once more; null when it is not to go, or nowhere.
Queue* Queue::grave_of(const QueueMessage& message) {
  if (settings.dead_letter_queue.empty() || message.receives_here < settings.max_receives) return nullptr;
  Queue* grave = all_.find(settings.dead_letter_queue);
  return grave == this ? nullptr : grave;
}

void Queue::bury(Messages::iterator at, Queue& grave) {
  journal_.fact("message.dead", at->second.id, {{"queue", name_}, {"to", grave.name_}});
  auto dead = take_out(at);
  dead.mapped().receives_here = 0;
  dead.mapped().system["DeadLetterQueueSourceArn"] = all_.arn_of(name_);
  grave.adopt(std::move(dead.mapped()));
}

// SQS moves a dead letter when somebody asks for it again, not when its last visibility timeout ends.
std::vector<QueueMessage> Queue::take_visible(std::size_t most, Duration visibility) {
  const SteadyTime now = timeline_.clock().now();
  std::vector<std::uint64_t> due;
  std::vector<QueueMessage> taken;
  for (auto at = by_visibility_.begin();
       at != by_visibility_.end() && at->first.first <= now && due.size() < most;) {
    const auto here = messages_.find((at++)->second);
    QueueMessage& message = here->second;
    if (Queue* grave = grave_of(message)) {
      bury(here, *grave);
      continue;
    }
    due.push_back(here->first);
  }
  for (const std::uint64_t number : due) {
    QueueMessage& message = messages_.at(number);
    ++message.receives_here;
    if (message.receive_count++ == 0) message.first_received = timeline_.clock().wall();
    message.last_received = now;
    show_at(number, message, now + visibility);
    message.receipt =
        std::string(handle_prefix) + tag_ + fresh_hex(random_, nonce_digits) + std::to_string(number);
    taken.push_back(message);
  }
  return taken;
}

SteadyTime Queue::next_visible(SteadyTime until) const {
  const auto next = by_visibility_.upper_bound({timeline_.clock().now(), last_turn_});
  return next == by_visibility_.end() ? until : std::min(until, next->first.first);
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
  if (found == messages_.end()) return answer;
  take_out(found);
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
    show_at(found->first, message, now + visibility);
    changed_.notify_all();
  }
  return answer;
}

void Queue::purge() {
  for (const auto& [number, message] : messages_) {
    timeline_.cancel(message.expiry);
    journal_.fact("message.expired", message.id, {{"queue", name_}});
  }
  messages_.clear();
  by_visibility_.clear();
  purged = timeline_.clock().now();
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

}  // namespace ferryman::sandbox
